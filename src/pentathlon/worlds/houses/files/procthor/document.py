"""ProcTHOR's files as read: the house document, the table of assets, and the objects that a house wants."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.files.house_files import read_limited
from pentathlon.worlds.houses.house import State

UNKNOWN_SIZE_M = (0.2, 0.2, 0.2)
NO_SIZE = (0.0, 0.0, 0.0)
FOOT_M = 0.3048
COUNTER_HEIGHT_M = 0.94


@dataclass
class Notes:
    """What the reading has to tell: where it is, and what it changed or left out."""

    place: str = "$"
    warnings: list[str] = field(default_factory=list)

    def warn(self, message: str) -> None:
        """Keeps a warning."""
        self.warnings.append(message)


class ProcthorAsset(NamedTuple):
    """A row of ProcTHOR's asset database: object type, size (width, depth, height) and whether it can be picked up."""

    type: str
    size_m: tuple[float, float, float]
    pickupable: bool


class Wanted(NamedTuple):
    """An object as the document wants it: ``middle_m`` is the height of the middle of its box."""

    place: str
    asset_id: str
    asset: ProcthorAsset
    x_m: float
    y_m: float
    middle_m: float
    yaw_deg: float
    state: State
    children: tuple[Wanted, ...]

    @property
    def bottom_m(self) -> float:
        """Height of its underside."""
        return self.middle_m - self.asset.size_m[2] / 2


def load_document(path: Path) -> dict[str, Any]:
    """Reads a house document and checks that it has ProcTHOR's lists."""
    try:
        document = json.loads(read_limited(path))
    except ValueError as error:
        raise DataError(f"{path.name}: expected JSON, got: {error}.") from error
    for key in ("rooms", "walls", "doors", "windows", "objects"):
        if not isinstance(document, dict) or not isinstance(document.get(key), list):
            raise DataError(f"{path.name}: $.{key}: expected a list, as ProcTHOR's houses have. Is it another format?")
    return dict(document)


def read_assets(path: Path) -> dict[str, ProcthorAsset]:
    """Reads the asset database."""
    found = {}
    for object_type, rows in _table(path).items():
        for row in rows:
            size = row["boundingBox"]
            extents = (float(size["x"]), float(size["z"]), float(size["y"]))
            found[str(row["assetId"])] = ProcthorAsset(object_type, extents, row.get("primaryProperty") == "CanPickup")
    return found


def read_objects(
    items: Sequence[Mapping[str, Any]], assets: Mapping[str, ProcthorAsset], notes: Notes, place: str = "$.objects"
) -> Iterator[Wanted]:
    """Yields the objects of a list with all that rests on them."""
    for i, item in enumerate(items):
        notes.place = here = f"{place}[{i}]"
        at, asset_id = item["position"], str(item["assetId"])
        x_m, y_m, middle_m = metres(at["x"]), metres(at["z"]), float(at["y"])
        yaw_deg = (180.0 - float(item["rotation"]["y"])) % 360.0
        state = State(
            open=float(np.clip(item.get("openness", 0.0), 0, 1)),
            on=bool(item.get("isOn", False)),
            dirty=bool(item.get("isDirty", False)),
        )
        asset = _asset(str(item["id"]), asset_id, assets)
        children = tuple(read_objects(item.get("children", ()), assets, notes, f"{here}.children"))
        yield Wanted(here, asset_id, asset, x_m, y_m, middle_m, yaw_deg, state, children)


def metres(value: Any) -> float:
    """Returns a length as house files hold it."""
    return round(float(value), 4)


def _table(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_limited(path))
        if isinstance(document, dict):
            return document
    except ValueError as error:
        raise DataError(f"{path.name}: expected JSON, got: {error}.") from error
    raise DataError(f"{path.name}: expected ProcTHOR's asset database, a table of object types.")


def _asset(object_id: str, asset_id: str, assets: Mapping[str, ProcthorAsset]) -> ProcthorAsset:
    if asset_id in assets:
        return assets[asset_id]
    counter = re.match(r"Countertop_[A-Za-z]+_(\d+)x(\d+)$", asset_id)
    if counter is not None:
        width_m, depth_m = (round(int(feet) * FOOT_M, 3) for feet in counter.groups())
        return ProcthorAsset("CounterTop", (width_m, depth_m, COUNTER_HEIGHT_M), False)
    names = {re.sub("[^a-z]", "", name.lower()): name for name in catalogue()}
    for candidate in (object_id.split("|")[0], asset_id):
        word = re.sub("[^a-z]", "", candidate.lower().replace("robothor", ""))
        if word in names:
            return ProcthorAsset(names[word], NO_SIZE, False)
    kind = "".join(word.capitalize() for word in re.findall("[A-Za-z]{2,}", asset_id)) or asset_id
    return ProcthorAsset(kind, UNKNOWN_SIZE_M, False)
