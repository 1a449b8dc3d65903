"""Houses in ProcTHOR's format, made by code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def corner(x: float, z: float, y: float = 0.0) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}


def wall(room: str, x0: float, z0: float, x1: float, z1: float, *, empty: bool = False) -> dict[str, Any]:
    polygon = [corner(x0, z0), corner(x1, z1), corner(x0, z0, 2.7), corner(x1, z1, 2.7)]
    low, high = sorted(((x0, z0), (x1, z1)))
    name = f"wall|{room.split('|')[-1]}|{low[0]:.2f}|{low[1]:.2f}|{high[0]:.2f}|{high[1]:.2f}"
    made = {"id": name, "roomId": room, "polygon": polygon, "material": {"name": "OrangeDrywall 1"}}
    return {**made, "empty": True} if empty else made


def walls(room: str, x0: float, z0: float, x1: float, z1: float, empty: str = "") -> list[dict[str, Any]]:
    """Four walls; ``empty`` names those that are not there, by "w", "n", "e" and "s"."""
    return [
        wall(room, x0, z0, x0, z1, empty="w" in empty),
        wall(room, x0, z1, x1, z1, empty="n" in empty),
        wall(room, x1, z1, x1, z0, empty="e" in empty),
        wall(room, x1, z0, x0, z0, empty="s" in empty),
    ]


def procthor_room(room: str, kind: str, x0: float, z0: float, x1: float, z1: float) -> dict[str, Any]:
    middle = (x0 + x1) / 2
    polygon = [corner(x0, z0), corner(x0, z1), corner(middle, z1), corner(x1, z1), corner(x1, z0)]
    return {"id": room, "roomType": kind, "floorPolygon": polygon, "floorMaterial": {"name": "DarkWoodFloor"}}


def hole(low: float, high: float, bottom: float, top: float) -> list[dict[str, float]]:
    return [{"x": low, "y": bottom, "z": 0}, {"x": high, "y": top, "z": 0}]


def thing(asset: str, x: float, y: float, z: float, turn: float = 0.0, **more: Any) -> dict[str, Any]:
    rotation = {"x": 0, "y": turn, "z": 0}
    return {"id": f"{asset}|1", "assetId": asset, "position": corner(x, z, y), "rotation": rotation, **more}


def written(folder: Path, document: Any, name: str = "theirs.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def asset(width: float, depth: float, height: float, *, pickupable: bool = False) -> dict[str, Any]:
    size = {"x": width, "y": height, "z": depth}
    return {"boundingBox": size, "primaryProperty": "CanPickup" if pickupable else "Static"}


ASSETS = {
    "ArmChair": {"Armchair_1": asset(0.8, 0.8, 0.9)},
    "Bed": {"Bed_1": asset(1.4, 2.2, 0.9)},
    "CounterTop": {"Countertop_L_10x4": asset(3.05, 1.22, 0.94), "Countertop_C_8x6": asset(2.44, 1.85, 0.94)},
    "Egg": {"Egg_1": asset(0.05, 0.05, 0.07, pickupable=True)},
    "Fork": {"Fork_1": asset(0.03, 0.23, 0.02, pickupable=True)},
    "Fridge": {"Fridge_1": asset(0.87, 0.72, 1.88)},
    "Mug": {"Mug_1": asset(0.12, 0.09, 0.1, pickupable=True)},
    "Painting": {"Painting_1": asset(0.8, 0.02, 0.6)},
    "Sofa": {"Sofa_1": asset(2.4, 0.98, 0.9)},
    "Stool": {"Stool_1": asset(0.59, 0.38, 0.76)},
    "TVStand": {"TV_Stand_1": asset(0.9, 0.39, 0.79)},
    "Television": {"Television_1": asset(1.08, 0.07, 0.74), "Television_2": asset(1.24, 0.3, 0.8)},
}


def asset_table() -> dict[str, Any]:
    """The table in the form of ProcTHOR's asset-database.json."""
    return {kind: [{"assetId": name, **row} for name, row in rows.items()] for kind, rows in ASSETS.items()}


def centred(name: str, x: float, z: float, turn: float = 0.0, bottom: float = 0.0, **more: Any) -> dict[str, Any]:
    """An object of the table with its underside at a height."""
    height = next(rows[name]["boundingBox"]["y"] for rows in ASSETS.values() if name in rows)
    return thing(name, x, bottom + height / 2, z, turn, **more)


def hard_house() -> dict[str, Any]:
    """Three rooms with all that went wrong once: walls that are not there, a closed door, things inside walls.

    A living room and a kitchen share an empty wall at x = 4; a closed door leads from the living room to a bedroom.
    """
    on_counter = [centred("Fork_1", 6.6, 0.35, bottom=0.94), centred("Mug_1", 7.7, 0.4, bottom=0.94)]
    on_arm = [centred("Mug_1", 7.7, 0.95, bottom=0.94), centred("Egg_1", 7.5, 1.1, bottom=0.94)]
    kitchen = [
        centred("Countertop_L_10x4", 6.47, 0.62, children=on_counter + on_arm),
        centred("Fridge_1", 7.62, 4.5, 270.0, children=[centred("Egg_1", 7.62, 4.5, 270.0, bottom=0.8)]),
        centred("Stool_1", 5.0, 4.8, 180.0),
    ]
    living = [
        centred("Sofa_1", 0.5, 2.5, 90.0, children=[centred("Mug_1", 0.5, 2.5, 90.0, bottom=0.45)]),
        centred("TV_Stand_1", 1.5, 0.2, children=[centred("Television_2", 1.5, 0.2, bottom=0.79)]),
        centred("Painting_1", 0.01, 2.5, 90.0, 1.4),
        centred("Painting_1", 3.2, 0.01, 0.0, 1.4),
        centred("Armchair_1", 1.6, 4.0, 140.0),
    ]
    bedroom = [
        centred("Bed_1", 1.12, 7.0, 90.0),
        centred("Television_1", 7.96, 7.0, 270.0, 1.3),
        centred("Painting_1", 4.0, 8.99, 180.0, 1.4),
        centred("Painting_1", 6.0, 5.01, 0.0, 1.4),
        thing("Gizmo_3", 6.0, 0.1, 7.0),
    ]
    return {
        "rooms": [
            procthor_room("room|1", "LivingRoom", 0, 0, 4, 5),
            procthor_room("room|2", "Kitchen", 4, 0, 8, 5),
            procthor_room("room|3", "Bedroom", 0, 5, 8, 9),
        ],
        "walls": walls("room|1", 0, 0, 4, 5, "e") + walls("room|2", 4, 0, 8, 5, "w") + walls("room|3", 0, 5, 8, 9),
        "doors": [
            {
                "id": "door|1|3",
                "room0": "room|1",
                "room1": "room|3",
                "wall0": "wall|1|0.00|5.00|4.00|5.00",
                "wall1": "wall|3|0.00|5.00|8.00|5.00",
                "holePolygon": hole(2.6, 3.6, 0.0, 2.1),
                "openness": 0,
            }
        ],
        "windows": [],
        "objects": living + kitchen + bedroom,
        "metadata": {"agent": {"position": corner(0.6, 2.6, 0.95), "rotation": {"x": 0, "y": 90, "z": 0}}},
    }
