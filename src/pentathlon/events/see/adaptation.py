"""Adapts a vision transformer to a task: masked-autoencoder training goes on with its demonstrations' frames.

After the paper's section 6: no frame is used that the policy does not learn from too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from pentathlon.core import UsageError, match_tasks, resolve_entrant
from pentathlon.core.entrants import Encoder, Images
from pentathlon.events.see.features import lessons
from pentathlon.events.see.pictures import attention_sheet
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.events.see.tasks import SeeTask
from pentathlon.events.see.trial import open_environment
from pentathlon.learning.pretraining.frames import pack
from pentathlon.learning.pretraining.loop import check_length, default_device, train
from pentathlon.learning.pretraining.mae import MaskedObjective
from pentathlon.learning.pretraining.settings import MaeSettings
from pentathlon.models.encoders.factories import trained
from pentathlon.models.encoders.torch_encoder import TorchEncoder
from pentathlon.models.encoders.trained import save_trained
from pentathlon.models.encoders.vit import SIZES, ViT

PICTURED_FRAMES = 4

Size = Literal["tiny", "small", "base", "large"]
_SIZES: tuple[Size, ...] = ("tiny", "small", "base", "large")


@dataclass(frozen=True)
class AdaptSettings:
    """How long and how fast to adapt; the paper's 100 epochs with MAE's other settings.

    Attributes:
        rehearse: shrink the task to seconds.
    """

    epochs: float = 100.0
    batch_size: int = 256
    base_lr: float = 1.5e-4
    threads: int = 4
    rehearse: bool = False


@dataclass(frozen=True)
class Adapted:
    """What adaptation wrote."""

    encoder: Path
    picture: Path


def adapt(entrant: str, task_id: str, out: Path, settings: AdaptSettings) -> Adapted:
    """Continues masked-autoencoder training of ``entrant`` on the frames of ``task_id``'s demonstrations.

    The same call continues where it was stopped.

    Args:
        entrant: a registered encoder, ``id@weights`` or ``module:factory``.
        task_id: one task of see.
        out: folder for frames, checkpoint, encoder and picture.
        settings: how long and how fast.

    Raises:
        UsageError: when the encoder is no vision transformer of a known size, the task is not of see, or the settings
            ask for no step.
        DataError: when ``out`` holds what another encoder or other settings made.
    """
    check_length(settings.epochs, settings.batch_size)
    protocol = see_protocol(task_id, rehearse=settings.rehearse)
    encoder = resolve_entrant(entrant).make()
    network = plain_vit(entrant, encoder)
    # Named by its weights, so that a folder is not continued with another encoder's.
    start = out / f"start-{encoder.fingerprint}.safetensors"
    save_trained(start, network, history={"entrant": entrant}, half=False)
    mae = MaeSettings(
        data=(str(_pack_frames(protocol, network.image_size, out)),),
        out=out,
        epochs=settings.epochs,
        batch_size=settings.batch_size,
        base_lr=settings.base_lr,
        threads=settings.threads,
        size=size_of(entrant, network),
        image_size=network.image_size,
        start=str(start),
    )
    objective = MaskedObjective(mae, default_device())
    objective.encoder.config = network.config
    path = train(objective, mae)
    picture = out / "attention.png"
    attention_sheet(picture, _some_frames(protocol), {"before": encoder, "adapted": trained(str(path))})
    return Adapted(path, picture)


def see_protocol(task_id: str, *, rehearse: bool) -> SeeProtocol:
    """Finds the protocol of one task of see."""
    entries = match_tasks([task_id])
    task = entries[0].make(**(entries[0].rehearsal if rehearse else {}))
    if len(entries) != 1 or not isinstance(task, SeeTask):
        raise UsageError(f"Expected one task of see to adapt to, got {task_id!r}. See: pentathlon list tasks")
    return task.protocol


def plain_vit(entrant: str, encoder: Encoder) -> ViT:
    """Returns the encoder's network.

    Raises:
        UsageError: when it is not a vision transformer that masked autoencoding can continue from.
    """
    network = encoder.network if isinstance(encoder, TorchEncoder) else None
    if not isinstance(network, ViT):
        got = type(encoder if network is None else network).__name__
        raise UsageError(
            f"Expected a vision transformer to adapt, {entrant!r} is a {got}. Name one such as mae-tiny or vc1@FILE."
        )
    return network


def size_of(entrant: str, network: ViT) -> Size:
    """Names the size of ``network``.

    Raises:
        UsageError: when no size has its shape; CLIP's variant is none.
    """
    config = replace(network.config, image_size=224, pooling="cls")
    for size in _SIZES:
        if SIZES[size] == config:
            return size
    raise UsageError(f"Expected a ViT of size {', '.join(_SIZES)} to adapt, {entrant!r} has another shape: {config}.")


def _pack_frames(protocol: SeeProtocol, image_size: int, out: Path) -> Path:
    with closing(open_environment(protocol)) as environment:
        names = [lesson.name for lesson in lessons(protocol, environment)]
        listing = [environment.eyes_key(), *names]
        # Room for crops, as pre-training has it.
        size = round(image_size * 256 / 224)
        return pack(protocol.task_id, _frames(protocol), size, out / protocol.task.name, listing)


def _frames(protocol: SeeProtocol) -> Iterator[Images]:
    with closing(open_environment(protocol)) as environment:
        for lesson in lessons(protocol, environment):
            yield from lesson.frames()


def _some_frames(protocol: SeeProtocol) -> Images:
    with closing(open_environment(protocol)) as environment:
        lesson = next(lessons(protocol, environment))
        shown = np.linspace(0, len(lesson.actions) - 1, PICTURED_FRAMES).astype(int)
        return np.stack([frame for step, frame in enumerate(lesson.frames()) if step in shown])
