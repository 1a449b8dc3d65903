"""Agent folders of ours and of TOTO: what is accepted, and the sentence for what is not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentathlon.core import DataError, EntrantError, compare_specs
from pentathlon.core.entrant_folder import FORMAT, read_manifest
from pentathlon.events.act.policies.folder import load_policy
from pentathlon.events.act.policies.toto import Config
from pentathlon.worlds.tabletop.arm.robot import interaction

OBSERVATION = {
    "joints": np.linspace(0.1, 0.7, 7).astype(np.float32),
    "image": np.full((480, 640, 3), 9, np.uint8),
    "depth": np.full((480, 640), 0.5, np.float32),
}

OURS = """
from pentathlon.worlds.tabletop.arm.robot import interaction
from helper import SCALE

class Agent:
    spec = interaction(480, 640)
    def __init__(self, offset=0.0):
        self.offset = offset
    def reset(self):
        pass
    def predict(self, observation):
        return observation["joints"] * SCALE + self.offset
"""

# TOTO's layout: a package that dispatches on the type, and agents that replay a cached chunk and have no reset.
TOTO_AGENTS = """
def init_agent_from_config(config, device='cpu', normalization=None):
    agent_type = config.agent.type
    if agent_type == 'open_loop':
        from .OpenLoop import _init_agent_from_config
        return _init_agent_from_config(config, device)
    if agent_type == 'bcimage_pre':
        from .OpenLoop import _init_pre
        return _init_pre(config, device)
    assert f"[ERROR] Unknown agent type {agent_type}"
"""
TOTO_AGENT = """
import os
import numpy as np

class OpenLoop:
    def __init__(self, H, saved_folder):
        self.H, self.t, self.cache = H, 0, None
        assert os.path.isfile(os.path.join(saved_folder, 'Agent.pth'))

    def predict(self, sample):
        assert sample['cam0c'].shape == (3, 480, 640) and sample['cam0d'].shape == (480, 640)
        if self.t % self.H == 0:
            self.cache = sample['inputs'][:7] + np.arange(self.H)[:, None]
        self.t += 1
        return self.cache[(self.t - 1) % self.H]

def to_array(picture):
    return np.asarray(picture).transpose(2, 0, 1) / 255

def _init_agent_from_config(config, device='cpu'):
    H = config.data.H if 'H' in config.data.keys() else 1
    assert 'hidden_dim' not in config['agent'] and not config.knn.k
    return OpenLoop(H, config.saved_folder), to_array

class Pre:
    def predict(self, sample):
        assert sample['inputs'].shape == (11,), sample['inputs'].shape
        return sample['inputs'][7:].sum() + np.zeros(7)

def _init_pre(config, device):
    return Pre(), None
"""
TOTO_VISION = """
import torch
def load_transforms(config):
    return lambda picture: torch.ones(3, 4, 4)
def load_model(config):
    return lambda batch: batch.mean(dim=(2, 3)).repeat(1, 2)[:, :4]
"""


def write(folder: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def ours(folder: Path, scale: float, **manifest: Any) -> Path:
    files = {"agent.py": OURS, "helper.py": f"SCALE = {scale}"}
    return write(
        folder, {**files, "entrant.json": {"format": FORMAT, "kind": "policy", "factory": "agent:Agent", **manifest}}
    )


def toto(folder: Path, kind: str, prefix: str = "toto_benchmark/") -> Path:
    config = f"agent:\n  type: {kind}\ndata:\n  H: 3\ntraining: {{lr: 0.001}}\nsaved_folder: /somewhere/else\n"
    return write(
        folder,
        {
            "hydra.yaml": config,
            "Agent.pth": "weights",
            f"{prefix}agents/__init__.py": TOTO_AGENTS,
            f"{prefix}agents/OpenLoop.py": TOTO_AGENT,
            f"{prefix}vision/__init__.py": TOTO_VISION,
        },
    )


def test_our_folder_is_loaded_with_its_options(tmp_path: Path) -> None:
    policy = load_policy(ours(tmp_path / "a", 2.0, options={"offset": 1.0}, name="mine"))
    compare_specs(interaction(480, 640), policy.spec)
    np.testing.assert_allclose(policy.predict(OBSERVATION), OBSERVATION["joints"] * 2 + 1, rtol=1e-6)


def test_folders_with_modules_of_the_same_name_do_not_mix(tmp_path: Path) -> None:
    first = load_policy(ours(tmp_path / "a", 2.0))
    second = load_policy(ours(tmp_path / "b", 3.0))
    np.testing.assert_allclose(second.predict(OBSERVATION), OBSERVATION["joints"] * 3, rtol=1e-6)
    np.testing.assert_allclose(first.predict(OBSERVATION), OBSERVATION["joints"] * 2, rtol=1e-6)


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ("not json", "entrant.json is malformed"),
        ([], "entrant.json is malformed: Expected `object`, got `array`"),
        ({"format": FORMAT, "kind": "policy"}, "missing required field `factory`"),
        ({"format": FORMAT, "kind": "policy", "factory": 3}, r"Expected `str`, got `int` - at `\$.factory`"),
        ({"format": FORMAT, "kind": "policy", "factory": "agent:make", "weights": "x"}, "unknown field `weights`"),
        (
            {"format": "agent-v9", "kind": "policy", "factory": "agent:make"},
            "expected the format 'pentathlon-entrant-v1', got 'agent-v9'",
        ),
        (
            {"format": FORMAT, "kind": "policy", "factory": "agent.make"},
            "expected a factory like 'module:function', got 'agent.make'",
        ),
        (
            {"format": FORMAT, "kind": "policy", "factory": "/etc/agent:make"},
            "expected a factory like 'module:function'",
        ),
        ({"format": FORMAT, "kind": "policy", "factory": "a:m", "name": "x" * 70_000}, "longer than 64 KiB"),
    ],
)
def test_a_malformed_manifest_is_explained(manifest: Any, words: str, tmp_path: Path) -> None:
    folder = write(tmp_path, {"entrant.json": manifest})
    with pytest.raises(DataError, match=words):
        read_manifest(folder)


def test_a_folder_of_neither_layout_is_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected entrant\.json .* or TOTO's hydra\.yaml"):
        load_policy(tmp_path)


def test_something_else_than_a_policy_is_refused(tmp_path: Path) -> None:
    code = "class Encoder:\n    spec = None\n    def encode(self, images): ...\n"
    manifest = {"format": FORMAT, "kind": "policy", "factory": "agent:Encoder"}
    with pytest.raises(EntrantError, match="built a encoder, expected a policy"):
        load_policy(write(tmp_path, {"entrant.json": manifest, "agent.py": code}))


@pytest.mark.parametrize("prefix", ["toto_benchmark/", "", "toto_benchmark-main/toto_benchmark/"])
def test_totos_folder_is_taken_as_it_is(prefix: str, tmp_path: Path) -> None:
    policy = load_policy(toto(tmp_path / "agent", "open_loop", prefix))
    compare_specs(interaction(480, 640), policy.spec)
    compare_specs(interaction(240, 320), policy.spec)
    policy.reset()
    actions = [policy.predict(OBSERVATION) for _ in range(2)]
    np.testing.assert_allclose(actions, [OBSERVATION["joints"], OBSERVATION["joints"] + 1], rtol=1e-6)
    assert actions[0].shape == (7,)


def test_totos_agents_forget_their_cache_between_episodes(tmp_path: Path) -> None:
    policy = load_policy(toto(tmp_path / "agent", "open_loop"))
    policy.reset()
    first = [policy.predict(OBSERVATION) for _ in range(2)]
    policy.reset()
    np.testing.assert_array_equal([policy.predict(OBSERVATION) for _ in range(2)], first)


def test_totos_precomputed_features_are_appended(tmp_path: Path) -> None:
    policy = load_policy(toto(tmp_path / "agent", "bcimage_pre"))
    np.testing.assert_allclose(policy.predict(OBSERVATION), np.full(7, 4.0))


def test_an_unknown_toto_type_is_explained(tmp_path: Path) -> None:
    with pytest.raises(EntrantError, match=r"agent\.type that it does not know"):
        load_policy(toto(tmp_path / "agent", "no_such_agent"))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"hydra.yaml": "agent: [unclosed"}, "hydra.yaml is malformed"),
        ({"hydra.yaml": "just text"}, "expected a mapping with the key 'agent', got str"),
        ({"hydra.yaml": "agent: {type: bc}"}, "No Python file in the agent folder defines init_agent_from_config"),
        (
            {
                "hydra.yaml": "agent: {type: bc}",
                "a/x.py": "def init_agent_from_config(c, d, n): ...",
                "b/x.py": "def init_agent_from_config(c, d, n): ...",
            },
            r"Several files .*: a/x\.py, b/x\.py",
        ),
        ({"hydra.yaml": "!!python/object/apply:os.system ['false']"}, "hydra.yaml is malformed"),
    ],
)
def test_a_malformed_toto_folder_is_explained(files: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=words):
        load_policy(write(tmp_path, files))


def test_totos_config_gives_items_as_attributes() -> None:
    config = Config({"data": {"H": 50, "images": {"crop": True}}, "agent": {"type": "bc"}})
    assert config.data.images.crop is True
    assert config["data"]["H"] == config.data.H == 50
    assert "H" in config.data.keys()  # noqa: SIM118 - as TOTO's own code asks
    assert not config.knn.k
    config.saved_folder = "here"
    assert config["saved_folder"] == "here"
