"""Lets the training of a learned agent go on where it stopped: weights, the optimiser's state, and how far it was."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from pentathlon.core.errors import UsageError
from pentathlon.events.explore.learned.settings import TrainingSettings
from pentathlon.models.weights import read_checkpoint, write_checkpoint

FILE = "progress.safetensors"


class Progress(NamedTuple):
    """How far a training is: houses that are done, and steps."""

    houses: int
    steps: int


def write_progress(
    folder: Path, network: nn.Module, optimizer: torch.optim.Adam, settings: TrainingSettings, progress: Progress
) -> None:
    """Writes all that the same training needs to go on, as tensors and JSON."""
    tensors: dict[str, Tensor] = {f"network.{name}": value for name, value in network.state_dict().items()}
    for place, state in optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{place}.{name}": value for name, value in state.items()}
    told = {"settings": _told(settings), "houses": progress.houses, "steps": progress.steps}
    write_checkpoint(folder / FILE, tensors, told)


def read_progress(
    folder: Path, network: nn.Module, optimizer: torch.optim.Adam, settings: TrainingSettings
) -> Progress | None:
    """Puts network and optimiser where a training stopped; ``None`` where there was none.

    Raises:
        UsageError: when it was a training with other settings, one of which is named.
    """
    if not (folder / FILE).is_file():
        return None
    saved = read_checkpoint(folder / FILE)
    before, now = json.loads(saved.metadata["settings"]), _told(settings)
    for name, own in now.items():
        if before.get(name) != own:
            option = name.replace("_", "-")
            raise UsageError(
                f"Expected --{option} {before.get(name)}, as the training in {folder} has, got {own}. "
                "Give another folder, or the same settings to go on."
            )
    network.load_state_dict(_below("network.", saved.tensors))
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in _below("adam.", saved.tensors).items():
        place, _, name = key.partition(".")
        state.setdefault(int(place), {})[name] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    return Progress(int(saved.metadata["houses"]), int(saved.metadata["steps"]))


def _told(settings: TrainingSettings) -> dict[str, str | int]:
    """What must stay as it is; a training may go on in more houses."""
    names = {field.name for field in fields(TrainingSettings)} - {"houses"}
    return {name: value for name, value in asdict(settings).items() if name in names}


def _below(prefix: str, tensors: object) -> dict[str, Tensor]:
    assert isinstance(tensors, dict)
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
