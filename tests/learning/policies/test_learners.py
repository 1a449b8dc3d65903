"""What holds for every learner: determinism, saving without pickle, refusal of bad data, no torch until used."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError, UnknownIdError, UsageError
from pentathlon.learning import policies as offline
from pentathlon.learning.policies import LEARNERS, OfflinePolicy, OfflineRecipe, Training, Trajectory, find_learner
from pentathlon.learning.policies.saving import load_policy, save_policy
from pentathlon.learning.policies.training import report

SMALL: dict[str, dict[str, Any]] = {
    "bc": {"horizon": 5, "epochs": 2, "batch_size": 32},
    "vinn": {"horizon": 1, "neighbours": 3},
    "iql": {"steps": 5, "hidden": (16, 16), "batch_size": 8},
    "dt": {"steps": 3, "width": 16, "layers": 1, "warmup_steps": 2, "period": 4},
}
EVERY = pytest.mark.parametrize("name", sorted(LEARNERS))


def recipe_of(name: str) -> OfflineRecipe:
    return LEARNERS[name].recipe(**SMALL[name])


def trained(name: str, data: list[Trajectory], seed: int = 0) -> OfflinePolicy:
    return LEARNERS[name].train(data, recipe_of(name), Training(seed))


def actions_of(policy: OfflinePolicy, trajectory: Trajectory) -> np.ndarray:
    policy.reset()
    assert trajectory.embeddings is not None
    return np.stack([policy.act(trajectory.joints[at], trajectory.embeddings[at]) for at in range(4)])


@EVERY
def test_the_seed_decides_and_the_global_generator_is_left_alone(name: str, reaching: list[Trajectory]) -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    first, again, other = (actions_of(trained(name, reaching, seed), reaching[0]) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(3), expected)
    np.testing.assert_array_equal(first, again)
    assert np.array_equal(first, other) == (name == "vinn"), "nothing is drawn for nearest neighbours"


@EVERY
def test_actions_are_chunks_of_float32(name: str, reaching: list[Trajectory]) -> None:
    actions = actions_of(trained(name, reaching), reaching[0])
    assert actions.dtype == np.float32
    assert actions.shape == (4, {"bc": 5, "vinn": 1, "iql": 1, "dt": 4}[name], 7)
    assert np.isfinite(actions).all()


@EVERY
def test_a_saved_policy_acts_the_same(name: str, reaching: list[Trajectory], tmp_path: Path) -> None:
    policy = trained(name, reaching)
    save_policy(policy, name, tmp_path / "agent")
    assert sorted(path.name for path in (tmp_path / "agent").iterdir()) == ["policy.json", "policy.safetensors"]
    again = load_policy(tmp_path / "agent")
    assert type(again) is LEARNERS[name].policy
    assert again.embedding_size == 7
    np.testing.assert_array_equal(actions_of(again, reaching[1]), actions_of(policy, reaching[1]))
    assert json.loads(json.dumps(again.state().settings)) == again.state().settings


@EVERY
def test_a_state_of_another_recipe_is_refused(name: str, reaching: list[Trajectory]) -> None:
    learner = LEARNERS[name]
    arrays, settings = trained(name, reaching).state()
    with pytest.raises(DataError, match="Expected"):
        learner.policy.from_state(arrays, {**settings, "embedding_size": 9})
    with pytest.raises(DataError, match="settings of a"):
        learner.policy.from_state(arrays, {"embedding_size": 7})
    with pytest.raises(DataError, match="Expected"):
        learner.policy.from_state({}, settings)


@EVERY
def test_bad_data_is_refused(name: str, reaching: list[Trajectory]) -> None:
    learner, recipe = LEARNERS[name], recipe_of(name)
    with pytest.raises(DataError, match="leaves nothing of 0"):
        learner.train([], recipe, Training(0))
    narrow = replace(reaching[0], embeddings=np.zeros((20, 3), np.float32))
    with pytest.raises(DataError, match=r"got \[3, 7\]"):
        learner.train([narrow, *reaching], recipe, Training(0))
    if name in ("bc", "vinn"):
        failures = [replace(trajectory, rewards=np.zeros(20, np.float32)) for trajectory in reaching]
        with pytest.raises(DataError, match="'successful' leaves nothing of 12"):
            learner.train(failures, recipe, Training(0))


@pytest.mark.parametrize(
    "content", [None, "{", "[]", '{"format": "other"}', '{"format": "pentathlon-offline-policy-v1"}']
)
def test_broken_policies_on_disk_are_refused(content: str | None, reaching: list[Trajectory], tmp_path: Path) -> None:
    save_policy(trained("bc", reaching), "bc", tmp_path)
    (tmp_path / "policy.json").unlink() if content is None else (tmp_path / "policy.json").write_text(content)
    with pytest.raises(DataError, match="Expected"):
        load_policy(tmp_path)


def test_truncated_arrays_are_refused(reaching: list[Trajectory], tmp_path: Path) -> None:
    save_policy(trained("bc", reaching), "bc", tmp_path)
    arrays = tmp_path / "policy.safetensors"
    arrays.write_bytes(arrays.read_bytes()[:-100])
    with pytest.raises(DataError, match="Expected a trained policy"):
        load_policy(tmp_path)


def test_a_policy_is_saved_under_its_own_learner_only(reaching: list[Trajectory], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="got a BcPolicy"):
        save_policy(trained("bc", reaching), "iql", tmp_path)


def test_names_and_recipes_are_checked() -> None:
    with pytest.raises(UnknownIdError, match="Did you mean 'vinn'"):
        find_learner("vin")
    with pytest.raises(UsageError, match="horizon of 1 or more in BcRecipe, got 0"):
        offline.BcRecipe(horizon=0)


def test_naming_the_learners_costs_no_torch() -> None:
    names = "from pentathlon.learning.policies import LEARNERS, saving"
    code = f"import sys; {names}; print('torch' in sys.modules, *LEARNERS)"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["False", "bc", "vinn", "iql", "dt"]


def test_what_is_exported_exists() -> None:
    assert offline.__all__ == sorted(offline.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(offline, name) for name in offline.__all__)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@EVERY
def test_what_a_gpu_trained_acts_on_a_cpu(name: str, reaching: list[Trajectory], tmp_path: Path) -> None:
    before = torch.cuda.get_rng_state()
    policy = LEARNERS[name].train(reaching, recipe_of(name), Training(0, device="cuda"))
    assert torch.equal(torch.cuda.get_rng_state(), before)
    save_policy(policy, name, tmp_path)
    actions = actions_of(load_policy(tmp_path), reaching[0])
    np.testing.assert_array_equal(actions, actions_of(policy, reaching[0]))
    assert np.isfinite(actions).all()


@pytest.mark.parametrize("name", ["bc", "iql", "dt"])
def test_a_training_without_a_finite_loss_ends(name: str, reaching: list[Trajectory]) -> None:
    recipe = replace(recipe_of(name), learning_rate=float("inf"))  # type: ignore[call-arg]
    with pytest.raises(DataError, match="Expected a finite loss, got .* Lower the learning rate"):
        LEARNERS[name].train(reaching, recipe, Training(0))


def test_progress_is_told_a_hundred_times_and_at_the_end() -> None:
    told: list[int] = []
    for done in range(1, 251):
        report(lambda done, total, loss: told.append(done), done, 250, torch.tensor(0.5))
    assert told == list(range(2, 251, 2))
    told.clear()
    for done in range(1, 206):
        report(lambda done, total, loss: told.append(done), done, 205, torch.tensor(0.5))
    assert told[-2:] == [204, 205]
