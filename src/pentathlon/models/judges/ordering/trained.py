"""Files of the judge that sees order: what is trained, in half precision, and the steps that it learnt."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from pentathlon.core.errors import DataError
from pentathlon.models.image_text.minilm import load_minilm
from pentathlon.models.image_text.trained import MINILM
from pentathlon.models.image_text.word_pieces import WordPieces
from pentathlon.models.judges.ordering.network import OrderNetwork, OrderShape
from pentathlon.models.weights import read_checkpoint, write_checkpoint

FORMAT = "pentathlon-judge-order-1"
KNOWN = "known"
_FROZEN = "texts.minilm."


@dataclass(frozen=True)
class TrainedOrder:
    """A network, its tokenizer, and the steps that it was trained on with their vectors ``[K, vector]``."""

    network: OrderNetwork
    pieces: WordPieces
    steps: tuple[str, ...]
    known: Tensor


def save_order(
    path: Path, network: OrderNetwork, steps: Sequence[str], known: Tensor, history: Mapping[str, Any]
) -> None:
    """Writes the trained tensors, the known steps and what made them."""
    tensors = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in network.state_dict().items()
        if not name.startswith(_FROZEN)
    }
    about = {"format": FORMAT, "shape": asdict(network.shape), "steps": list(steps), "history": dict(history)}
    write_checkpoint(path, {**tensors, KNOWN: known.half()}, about)


def load_order(path: Path) -> TrainedOrder:
    """Reads what :func:`save_order` wrote.

    Raises:
        DataError: when the file is of another format or incomplete.
    """
    checkpoint = read_checkpoint(path)
    if checkpoint.metadata.get("format") != json.dumps(FORMAT):
        raise DataError(f"Expected a judge of format {FORMAT!r} at {path}, got another file. Give its path.")
    text, pieces = load_minilm(MINILM)
    network = OrderNetwork(OrderShape(**json.loads(checkpoint.metadata["shape"])), text)
    tensors = {name: tensor for name, tensor in checkpoint.tensors.items() if name != KNOWN}
    wanted = {name for name in network.state_dict() if not name.startswith(_FROZEN)}
    if wanted != set(tensors) or KNOWN not in checkpoint.tensors:
        raise DataError(f"Expected {len(wanted) + 1} tensors in {path}, got {len(checkpoint.tensors)}. Copy it again.")
    network.load_state_dict(tensors, strict=False)
    steps = tuple(json.loads(checkpoint.metadata["steps"]))
    return TrainedOrder(network.eval(), pieces, steps, checkpoint.tensors[KNOWN].float())
