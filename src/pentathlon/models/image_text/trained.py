"""Files of the dense image-text network: what is trained, in half precision; the frozen text model is another file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError
from pentathlon.models.image_text.dense import DenseImageText, DenseShape
from pentathlon.models.image_text.minilm import load_minilm
from pentathlon.models.image_text.word_pieces import WordPieces
from pentathlon.models.weights import BUILTIN_FOLDER, read_checkpoint, write_checkpoint

FORMAT = "pentathlon-image-text-1"
MINILM = BUILTIN_FOLDER / "minilm-l6.safetensors"
_FROZEN = "texts.minilm."


@dataclass(frozen=True)
class TrainedDense:
    """A network with its tokenizer and what its file says of it.

    Attributes:
        thresholds: scores by kind of sentence, then by purpose (``go``, ``stop``).
        history: how it was trained.
    """

    network: DenseImageText
    pieces: WordPieces
    thresholds: Mapping[str, Mapping[str, float]]
    history: Mapping[str, Any]


def save_dense(
    path: Path,
    network: DenseImageText,
    history: Mapping[str, Any],
    thresholds: Mapping[str, Mapping[str, float]],
) -> None:
    """Writes the trained tensors and what made them."""
    tensors = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in network.state_dict().items()
        if not name.startswith(_FROZEN)
    }
    about = {"format": FORMAT, "shape": asdict(network.shape), "history": dict(history)}
    write_checkpoint(path, tensors, {**about, "thresholds": {kind: dict(row) for kind, row in thresholds.items()}})


def load_dense(path: Path, minilm: Path | None = None) -> TrainedDense:
    """Reads a network and the frozen text model that it was trained with.

    Args:
        path: of the network.
        minilm: of the text model; when not given, the one of that name beside the network, or the built-in one.

    Raises:
        DataError: when the file is of another format or incomplete.
    """
    checkpoint = read_checkpoint(path)
    if checkpoint.metadata.get("format") != json.dumps(FORMAT):
        raise DataError(f"Expected an image-text network of format {FORMAT!r} at {path}, got another file.")
    about = {key: json.loads(checkpoint.metadata[key]) for key in ("shape", "history", "thresholds")}
    text, pieces = load_minilm(minilm or _text_model(path))
    network = DenseImageText(DenseShape(**about["shape"]), text)
    wanted = {name for name in network.state_dict() if not name.startswith(_FROZEN)}
    if wanted != set(checkpoint.tensors):
        missing = sorted(wanted ^ set(checkpoint.tensors))
        raise DataError(f"Expected {len(wanted)} tensors in {path}, {len(missing)} differ, such as {missing[0]}.")
    network.load_state_dict(dict(checkpoint.tensors), strict=False)
    return TrainedDense(network.eval(), pieces, about["thresholds"], about["history"])


def _text_model(path: Path) -> Path:
    beside = path.with_name(MINILM.name)
    return beside if beside.is_file() else MINILM
