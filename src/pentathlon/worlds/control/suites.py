"""Builds a task's simulation; a suite's package is imported when one of its tasks is built and not before."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import mujoco

from pentathlon.core.errors import DataError, UsageError
from pentathlon.worlds.control.physics import Physics
from pentathlon.worlds.control.tasks import ControlTask


def make_physics(task: ControlTask, model: Any | None = None) -> Physics:
    """Builds the simulation of ``task``.

    Args:
        task: a row of the table.
        model: a compiled model of this task to use instead of the suite's files; not for MetaWorld.
    """
    module = importlib.import_module(f"pentathlon.worlds.control.{task.suite}")
    physics: Physics = module.make_physics(task.key) if model is None else module.make_physics(task.key, model)
    return physics


def export_model(task: ControlTask, folder: Path) -> Path:
    """Saves the compiled model as ``folder/<name>.mjb``, readable by the same MuJoCo release without the suite.

    Raises:
        UsageError: for MetaWorld, whose tasks are more than their models.
    """
    if task.suite == "metaworld":
        raise UsageError(f"{task.name} cannot be exported: MetaWorld's tasks need its package. Choose another suite.")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{task.name}.mjb"
    mujoco.mj_saveModel(make_physics(task).model, str(path))
    return path


def load_model(task: ControlTask, folder: Path) -> Any:
    """Reads what :func:`export_model` wrote.

    Raises:
        DataError: when the file is missing or of another MuJoCo release.
    """
    path = folder / f"{task.name}.mjb"
    try:
        return mujoco.MjModel.from_binary_path(str(path))
    except (ValueError, mujoco.FatalError) as error:
        raise DataError(
            f"{path} cannot be read by MuJoCo {mujoco.__version__}: {error} "
            "Export it again with the same release: pentathlon data experts NAME --export FOLDER."
        ) from error
