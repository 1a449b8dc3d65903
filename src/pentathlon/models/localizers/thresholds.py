"""Above which relevance a place counts as the target: CoW's own numbers, or those tuned for some weights.

Tuned numbers lie in the folder of the weights, or for a hub id in the user's cache; those of the built-in network are
shipped with it, and the user's own come first.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

from pentathlon.core.errors import DataError
from pentathlon.models.localizers.contract import Relevance, RelevanceMap
from pentathlon.models.weights import BUILTIN_FOLDER
from pentathlon.storage.files import replacing

FILE_NAME = "localizer-thresholds.json"
FORMAT = "pentathlon-localizer-thresholds-v1"


@dataclass(frozen=True)
class Thresholds:
    """Those of one localizer, on the scale of its map.

    Attributes:
        go: above it a place counts as the target while walking.
        stop: above it a place counts as the target when the walk is to end.
        f1: what they reach where they were tuned; ``None`` where they were not.
        images: how many pictures they were tuned on.
    """

    go: float
    stop: float
    f1: float | None = None
    images: int = 0

    def relevance(self, values: RelevanceMap) -> Relevance:
        """Puts a map beside its thresholds."""
        return Relevance(values, self.go, self.stop)


_COARSE, _FINE = 32, 16
RELEASED: dict[str, dict[int, float]] = {
    "clip-ref": {_COARSE: 0.25, _FINE: 0.125},
    "clip-patch": {_COARSE: 0.875, _FINE: 0.75},
    "clip-grad": {_COARSE: 0.625, _FINE: 0.375},
    "owl": {_COARSE: 0.125, _FINE: 0.125},
}
"""By localizer and side of the transformer's patches in pixels (Gadre et al. 2023, table 5, RoboTHOR and PASTURE)."""

GROUNDING_DINO = 0.25
"""CoW has no such localizer; `transformers` keeps boxes above this by default."""


def default_thresholds(kind: str, patch_px: int) -> Thresholds:
    """Returns CoW's threshold of a localizer; that of the nearest size of patches where it had none such."""
    if kind == "grounding-dino":
        return Thresholds(GROUNDING_DINO, GROUNDING_DINO)
    sizes = RELEASED[kind.removesuffix("-photo")]
    value = sizes[_COARSE if patch_px > (_COARSE + _FINE) / 2 else _FINE]
    return Thresholds(value, value)


def thresholds_path(weights: str) -> Path:
    """Returns where tuned thresholds of a folder or hub id are kept."""
    folder = Path(weights).expanduser()
    if folder.is_dir():
        return folder / FILE_NAME
    return Path(platformdirs.user_cache_dir("pentathlon")) / "localizers" / f"{weights.replace('/', '--')}.json"


def read_thresholds(weights: str, kind: str) -> Thresholds | None:
    """Reads what was tuned for a localizer with these weights, if anything was.

    Raises:
        DataError: when the file is broken.
    """
    for path in (thresholds_path(weights), *_shipped(weights)):
        row = _read(path).get(kind) if path.is_file() else None
        if row is not None:
            return _decode(path, row)
    return None


def _shipped(weights: str) -> tuple[Path, ...]:
    return (BUILTIN_FOLDER / FILE_NAME,) if weights == "builtin" else ()


def write_thresholds(weights: str, kind: str, thresholds: Thresholds) -> Path:
    """Keeps tuned thresholds beside those of other localizers with the same weights, and returns the file."""
    path = thresholds_path(weights)
    rows = _read(path) if path.is_file() else {}
    content = {"format": FORMAT, "localizers": {**rows, kind: asdict(thresholds)}}
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n")
    return path


def _read(path: Path) -> dict[str, object]:
    try:
        content = json.loads(path.read_text())
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']!r}")
        return dict(content["localizers"])
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"Expected {FORMAT} in {path}, got something else ({error}). Delete it and tune again."
        ) from error


def _decode(path: Path, row: object) -> Thresholds:
    try:
        found = Thresholds(**row)  # type: ignore[arg-type]
        if not (math.isfinite(found.go) and math.isfinite(found.stop) and found.go <= found.stop):
            raise ValueError(f"go {found.go}, stop {found.stop}")
    except (ValueError, TypeError) as error:
        raise DataError(f"Expected go and stop, go not above stop, in {path}, got {error}. Tune again.") from error
    return found
