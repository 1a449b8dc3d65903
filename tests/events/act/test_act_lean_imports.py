"""Data is collected and policies are trained on machines where only the simulator and torch are installed."""

from __future__ import annotations

import subprocess
import sys

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
for name in ("collect", "dataset", "frames", "training", "trial", "tasks"):
    importlib.import_module("pentathlon.events.act." + name)
"""


def test_collecting_and_training_need_neither_videos_nor_the_runner() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(missing=MISSING)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
