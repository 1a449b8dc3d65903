"""A command needs the packages of its own work alone, so that encoders can be trained where little is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import pentathlon
from pentathlon.worlds.control import control_task
from pentathlon.worlds.control.experts.policy import Network
from pentathlon.worlds.control.suites import export_model

COMMAND_LINE = ("docstring_parser", "typeguard", "typing_extensions", "tyro")
TRAINING = ("PIL", "numpy", "numpy.libs", "pillow.libs", "safetensors", "torch")
MUJOCO = ("absl", "etils", "glfw", "importlib_resources", "mujoco", "OpenGL", "zipp")
OF_TORCH = ("filelock", "fsspec", "functorch", "jinja2", "markupsafe", "mpmath", "networkx", "sympy", "torchgen")


def bare_machine(folder: Path, *more: str) -> Path:
    """Links the few packages into a folder that stands for all that is installed."""
    folder.mkdir()
    (folder / "pentathlon").symlink_to(Path(pentathlon.__file__).parent)
    for site in {Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))}:
        for name in (*COMMAND_LINE, *TRAINING, *OF_TORCH, *more):
            for found in (site / name, site / f"{name}.py"):
                if found.exists():
                    (folder / found.name).symlink_to(found)
    return folder


def run_there(machine: Path, *words: str) -> None:
    # Without the site module nothing else that is installed here can be found.
    command = [sys.executable, "-S", "-m", "pentathlon", *words]
    environment = {**os.environ, "PYTHONPATH": str(machine), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=machine.parent)
    assert done.returncode == 0, done.stderr


def test_training_an_encoder_needs_torch_numpy_safetensors_and_pillow(tmp_path: Path) -> None:
    np.save(tmp_path / "frames.npy", np.random.default_rng(0).integers(0, 256, (8, 40, 40, 3), dtype=np.uint8))
    options = ["--size", "tiny", "--image-size", "32", "--epochs", "1", "--batch-size", "8"]
    run_there(bare_machine(tmp_path / "lean"), "train", "mae", "--data", "frames.npy", "--out", "out", *options)
    assert (tmp_path / "out" / "encoder.safetensors").exists()


def test_training_an_expert_needs_an_exported_model_and_mujoco(tmp_path: Path) -> None:
    model = export_model(control_task("adroit-pen"), tmp_path)
    options = ["--hands", "2", "--iterations", "1", "--epochs", "1"]
    machine = bare_machine(tmp_path / "lean", *MUJOCO)
    run_there(machine, "train", "pen-expert", "--model", model.name, "--out", "pen.npz", *options)
    assert Network(tmp_path / "pen.npz", 45, 24)(np.zeros(45)).shape == (24,)
