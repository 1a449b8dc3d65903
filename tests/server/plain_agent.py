"""A plain policy to be run in a sandbox, and whether a sandbox with a folder is still there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.worlds.tabletop.arm.robot import interaction

SPEC = interaction(8, 8)
OBSERVATION = {
    "joints": np.linspace(0.1, 0.7, 7).astype(np.float32),
    "image": np.full((8, 8, 3), 7, np.uint8),
    "depth": np.ones((8, 8), np.float32),
}

AGENT = """
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

class Agent:
    spec = interaction(8, 8)

    def __init__(self, seed=0, scale=1.0):
        self.seed, self.scale = seed, scale

    def for_seed(self, training_seed):
        return Agent(training_seed, self.scale)

    def reset(self):
        print("episode begins")

    def predict(self, observation):
        assert observation["image"].dtype == np.uint8 and observation["image"].shape == (8, 8, 3)
        return np.stack([observation["joints"] * self.scale + self.seed] * 4)
"""


def write_agent(folder: Path, code: str, factory: str = "agent:Agent", **options: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(code)
    manifest = {"format": "pentathlon-entrant-v1", "kind": "policy", "factory": factory, "options": options}
    (folder / "entrant.json").write_text(json.dumps(manifest))
    return folder


def seen(folder: Path) -> bool:
    """Whether a process sees the folder in a file system of its own."""
    for file in Path("/proc").glob("[0-9]*/mountinfo"):
        try:
            if str(folder) in file.read_text():
                return True
        except OSError:
            continue
    return False
