"""Data is collected and policies are trained on machines where only the simulator and torch are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MISSING = (
    "av",
    "dm_control",
    "gymnasium_robotics",
    "jinja2",
    "metaworld",
    "psutil",
    "ray",
    "rich",
    "safetensors",
    "scipy",
)
SCRIPT = """
import importlib, importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in {missing!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
for name in ("data.collect", "data.dataset", "data.frames", "training", "trial", "tasks"):
    importlib.import_module("pentathlon.events.act." + name)
"""


def test_collecting_and_training_need_neither_videos_nor_the_runner() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(missing=MISSING)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


TRAINING = """
from pathlib import Path
from pentathlon.events.act.training import make_recipe, train_policy
recipe = make_recipe("bc", '{{"horizon": 4, "epochs": 1, "hidden": [8]}}')
train_policy("bc", recipe, {data!r}, "mean-colour", Path({out!r}), seeds=(0,))
"""


def test_training_on_what_was_collected_needs_no_videos(collected: Path, tmp_path: Path) -> None:
    # The arm's files are read from gymnasium-robotics, policies are written as safetensors.
    missing = tuple(name for name in MISSING if name not in ("gymnasium_robotics", "safetensors"))
    script = SCRIPT.format(missing=missing) + TRAINING.format(data=str(collected), out=str(tmp_path / "agent"))
    folders = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **folders})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "agent" / "seed-0" / "policy.safetensors").exists()
