"""Opens localizers by name: ``clip-grad:openai/clip-vit-base-patch32``, ``owl:FOLDER``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.core.identity import content_hash
from pentathlon.models.localizers.contract import Localizer
from pentathlon.models.localizers.serving.client import open_served, server_address
from pentathlon.models.localizers.thresholds import Thresholds, default_thresholds, read_thresholds
from pentathlon.models.weights import resolve_weights
from pentathlon.storage.files import file_digest

if TYPE_CHECKING:
    from pentathlon.models.localizers.batches import BatchLocalizer

Factory = Callable[[str, str], Localizer]
"""Takes the whole name and the weights."""


BUILTIN, DENSE, TEXT = "builtin", "dense-houses", "minilm-l6"
"""The localizer that needs no weights of one's own, and its weights among the built-in ones: pictures and words."""
COARSE_PX = 16
"""Side of the places between which the built-in network attends."""


class LocalizerRow(NamedTuple):
    """A kind of localizer.

    Attributes:
        summary: one line for people.
        make: opens one.
        example: weights to try.
    """

    summary: str
    make: Factory
    example: str


def open_localizer(name: str) -> Localizer:
    """Opens the localizer of a name such as ``owl:google/owlvit-base-patch32``, with tuned thresholds if there are any.

    The built-in one is ``builtin``, or no name at all. Where a server looks for this machine's walkers, those on the
    built-in network are opened there.

    Raises:
        UnknownIdError: when there is no such kind.
        UsageError: when the weights are not named.
        DataError: when the weights are of another architecture or not whole.
        MachineError: when a server is named and nobody listens there.
    """
    known = name or BUILTIN
    if server_address() and (known == BUILTIN or fingerprint_of(known)):
        return open_served(known, fingerprint_of(known), phrases=known == BUILTIN)
    return open_here(known)


def fingerprint_of(name: str) -> str:
    """Hashes what a localizer on the built-in network is made of: weights of pictures and words, and thresholds.

    Empty for others, whose weights are the user's own.
    """
    known = name or BUILTIN
    kind, _, weights = known.rpartition(":")
    if weights != BUILTIN:
        return ""
    if kind and kind not in LOCALIZERS:
        raise UnknownIdError("localizer", kind, (BUILTIN, *LOCALIZERS))
    if kind and not kind.startswith("clip-"):
        return ""
    files = [file_digest(resolve_weights(file)) for file in (DENSE, TEXT)]
    thresholds = _thresholds(known, COARSE_PX) if kind else None
    return content_hash([*files, *([thresholds.go, thresholds.stop] if thresholds else [])], length=12)


def open_here(name: str) -> Localizer:
    """The same in this process, whether there is a server or not."""
    if name in ("", BUILTIN):
        return _open_dense(BUILTIN, DENSE)
    kind, _, weights = name.partition(":")
    if kind not in LOCALIZERS:
        raise UnknownIdError("localizer", kind, (BUILTIN, *LOCALIZERS))
    row = LOCALIZERS[kind]
    if not weights:
        raise UsageError(f"Expected weights after {kind}, got none. Try: {kind}:{row.example}")
    return row.make(name, weights)


def open_to_all(name: str) -> BatchLocalizer[Any]:
    """Opens a localizer for a server.

    Raises:
        UsageError: when it looks at one picture at a time.
    """
    from pentathlon.models.localizers.batches import OneWalker

    opened = open_here(name)
    if not isinstance(opened, OneWalker):
        raise UsageError(f"Expected a localizer that looks at several pictures at once, got {name}.")
    return opened


def _thresholds(name: str, patch_px: int) -> Thresholds:
    kind, _, weights = name.partition(":")
    return read_thresholds(weights, kind) or default_thresholds(kind, patch_px)


def _open_clip(name: str, weights: str) -> Localizer:
    if weights == BUILTIN:
        return _open_pooled(name)
    from pentathlon.models.image_text.huggingface import load_image_text
    from pentathlon.models.localizers.clip_gradient import ClipGradient
    from pentathlon.models.localizers.clip_regions import ClipPatches, ClipReferring

    kind, templates = name.partition(":")[0], _templates(name)
    model = load_image_text(weights)
    thresholds = _thresholds(name, int(model.network.config.vision_config.patch_size))
    if kind.startswith("clip-grad"):
        return ClipGradient(model, name, thresholds, templates)
    cls = ClipPatches if kind.startswith("clip-patch") else ClipReferring
    return cls(model, name, thresholds, templates)


def _open_pooled(name: str) -> Localizer:
    """CLIP's ways to localize, asked of the built-in network."""
    from pentathlon.models.image_text.pooled import PooledDense
    from pentathlon.models.image_text.trained import load_dense
    from pentathlon.models.localizers.clip_regions import ClipPatches, ClipReferring
    from pentathlon.models.localizers.dense_gradient import DenseGradient

    kind, model = name.partition(":")[0], PooledDense(load_dense(resolve_weights(DENSE)))
    thresholds, templates = _thresholds(name, COARSE_PX), _templates(name)
    if kind.startswith("clip-grad"):
        return DenseGradient(model, name, thresholds, templates)
    cls = ClipPatches if kind.startswith("clip-patch") else ClipReferring
    return cls(model, name, thresholds, templates)


def _templates(name: str) -> tuple[str, ...]:
    from pentathlon.models.localizers.prompts import ENSEMBLE, PHOTO

    return PHOTO if name.partition(":")[0].endswith("-photo") else ENSEMBLE


def _open_owl(name: str, weights: str) -> Localizer:
    from pentathlon.models.localizers.owl import CLASSES, Owl
    from pentathlon.models.pretrained_folder import find_folder, load_network, load_tokenizer

    folder = find_folder(weights, CLASSES)
    network = load_network(folder.path, CLASSES[folder.model_type])
    thresholds = _thresholds(name, int(network.config.vision_config.patch_size))
    return Owl(network, load_tokenizer(folder.path), name, thresholds)


def _open_grounding_dino(name: str, weights: str) -> Localizer:
    from pentathlon.models.localizers.grounding_dino import CLASSES, GroundingDino
    from pentathlon.models.pretrained_folder import find_folder, load_network, load_tokenizer

    folder = find_folder(weights, CLASSES)
    network = load_network(folder.path, CLASSES[folder.model_type])
    return GroundingDino(network, load_tokenizer(folder.path), name, _thresholds(name, 0))


def _open_dense(name: str, weights: str) -> Localizer:
    from pentathlon.models.image_text.trained import load_dense
    from pentathlon.models.localizers.dense import DenseLocalizer

    return DenseLocalizer(load_dense(resolve_weights(weights)), name)


_CLIP = partial(LocalizerRow, make=_open_clip, example="openai/clip-vit-base-patch32")

LOCALIZERS: dict[str, LocalizerRow] = {
    "clip-ref": _CLIP("CLIP asked with nine phrases, 80 prompts each"),
    "clip-ref-photo": _CLIP("CLIP asked with nine phrases, one prompt each"),
    "clip-patch": _CLIP("CLIP on nine tiles, 80 prompts"),
    "clip-patch-photo": _CLIP("CLIP on nine tiles, one prompt"),
    "clip-grad": _CLIP("CLIP's last attention weighted by gradients, 80 prompts"),
    "clip-grad-photo": _CLIP("CLIP's last attention weighted by gradients, one prompt"),
    "dense": LocalizerRow("a network of `pentathlon train image-text`", _open_dense, "FILE"),
    "owl": LocalizerRow("OWL-ViT or OWLv2", _open_owl, "google/owlvit-base-patch32"),
    "grounding-dino": LocalizerRow("Grounding DINO", _open_grounding_dino, "IDEA-Research/grounding-dino-tiny"),
}
