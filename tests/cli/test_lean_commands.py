"""A command needs the packages of its own work alone, so that encoders can be trained where little is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import pentathlon

COMMAND_LINE = ("docstring_parser", "typeguard", "typing_extensions", "tyro")
TRAINING = ("PIL", "numpy", "numpy.libs", "pillow.libs", "safetensors", "torch")
OF_TORCH = ("filelock", "fsspec", "functorch", "jinja2", "markupsafe", "mpmath", "networkx", "sympy", "torchgen")


def bare_machine(folder: Path) -> Path:
    """Links the few packages into a folder that stands for all that is installed."""
    folder.mkdir()
    (folder / "pentathlon").symlink_to(Path(pentathlon.__file__).parent)
    for site in {Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))}:
        for name in (*COMMAND_LINE, *TRAINING, *OF_TORCH):
            for found in (site / name, site / f"{name}.py"):
                if found.exists():
                    (folder / found.name).symlink_to(found)
    return folder


def test_training_an_encoder_needs_torch_numpy_safetensors_and_pillow(tmp_path: Path) -> None:
    np.save(tmp_path / "frames.npy", np.random.default_rng(0).integers(0, 256, (8, 40, 40, 3), dtype=np.uint8))
    options = ["--size", "tiny", "--image-size", "32", "--epochs", "1", "--batch-size", "8"]
    words = ["train", "mae", "--data", str(tmp_path / "frames.npy"), "--out", str(tmp_path / "out"), *options]
    machine = bare_machine(tmp_path / "lean")
    # Without the site module nothing else that is installed here can be found.
    command = [sys.executable, "-S", "-m", "pentathlon", *words]
    environment = {**os.environ, "PYTHONPATH": str(machine), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "encoder.safetensors").exists()
