"""A learned agent's folder: its network, and which encoder and reader it goes with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.core.identity import to_plain
from pentathlon.events.explore.learned.belief import BeliefNetwork, BeliefSettings
from pentathlon.models.weights import read_checkpoint, weights_hash, write_checkpoint
from pentathlon.worlds.houses.house import Record

if TYPE_CHECKING:
    from pentathlon.events.explore.learned.settings import TrainingSettings

WEIGHTS, NOTES = "belief.safetensors", "belief.json"
TRAINED_BY = (
    "signal",
    "episodes",
    "episode_steps",
    "return_steps",
    "size_px",
    "belief",
    "hidden",
    "learning_rate",
    "seed",
)
"""The settings that notes tell, beside the encoder and the reader."""


class Notes(Record, frozen=True, kw_only=True):
    """What is needed to build an agent anew, and how it was trained.

    Attributes:
        sizes: of the network.
        encoder: entrant that turns pictures into features.
        reader: T5 by folder or hub id, or the built-in one.
        training: settings.
        houses: in which it was trained.
        steps: that it took there.
    """

    sizes: BeliefSettings
    encoder: str
    reader: str
    training: dict[str, str | int | float]
    houses: int
    steps: int


class Saved(NamedTuple):
    """What a folder holds."""

    network: BeliefNetwork
    notes: Notes
    fingerprint: str


def save_agent(folder: Path, network: BeliefNetwork, settings: TrainingSettings, houses: int, steps: int) -> None:
    """Writes the weights with 16 bits each, and the notes."""
    training = {name: to_plain(getattr(settings, name)) for name in TRAINED_BY}
    notes = Notes(
        sizes=network.settings,
        encoder=settings.encoder,
        reader=settings.reader,
        training=training,
        houses=houses,
        steps=steps,
    )
    write_checkpoint(folder / WEIGHTS, {name: value.half() for name, value in network.state_dict().items()}, {})
    (folder / NOTES).write_bytes(msgspec.json.format(msgspec.json.encode(notes), indent=1))


def load_agent(folder: Path) -> Saved:
    """Reads what :func:`save_agent` wrote.

    Raises:
        DataError: when the folder holds no agent, or weights that do not fit its notes.
    """
    path = folder / NOTES
    if not path.is_file():
        raise DataError(f"Expected a folder that `pentathlon train explorer --to` wrote, got {folder} without {NOTES}.")
    try:
        notes = msgspec.json.decode(path.read_bytes(), type=Notes)
    except msgspec.DecodeError as error:
        raise DataError(f"Expected the notes of a learned agent in {path}, got something else: {error}.") from None
    tensors = read_checkpoint(folder / WEIGHTS).tensors
    network = BeliefNetwork(notes.sizes)
    expected = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    got = {name: tuple(value.shape) for name, value in tensors.items()}
    if got != expected:
        wrong = next(name for name in sorted({*expected, *got}) if expected.get(name) != got.get(name))
        raise DataError(
            f"Expected {wrong} of shape {expected.get(wrong)} in {folder / WEIGHTS}, got {got.get(wrong)}: the weights "
            f"are not those of {NOTES}. Copy the whole folder again."
        )
    network.load_state_dict({name: value.float() for name, value in tensors.items()})
    return Saved(network.eval(), notes, weights_hash(tensors))
