"""Painted pictures of four kinds of squares stand for views of houses, so that learning takes seconds."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch

from pentathlon.learning.detectors.attributes import ObjectFacts
from pentathlon.learning.detectors.looking import BACKGROUND, CHANNELS, Seen
from pentathlon.learning.detectors.views import GroupViews, HouseViews, array_path
from pentathlon.models.image_text.minilm import MiniLm, MiniLmShape, save_minilm
from pentathlon.models.image_text.word_pieces import WordPieces

SIZE = 64
PAINTS = {"Apple": (200, 30, 30), "Mug": (30, 60, 200), "Sofa": (30, 160, 60), "Surfboard": (220, 200, 40)}


def facts(type_name: str, **others: object) -> ObjectFacts:
    about = {"type": type_name, "colours": (), "materials": (), "states": (), "diagonal_m": 0.7, "room": "Kitchen"}
    return msgspec.convert({**about, "relations": {}, **others}, ObjectFacts)


def painted_house(rng: np.random.Generator, frames: int) -> tuple[HouseViews, np.ndarray]:
    pictures = np.zeros((frames, SIZE, SIZE, CHANNELS), np.uint8)
    pictures[..., :3], pictures[..., 3] = 128, 60
    pictures[..., 4], pictures[..., 5] = BACKGROUND & 255, BACKGROUND >> 8
    seen = []
    for picture in pictures:
        picture[..., :3] = rng.integers(100, 156, size=3)
        rows = []
        for number, paint in enumerate(PAINTS.values()):
            side = int(rng.integers(12, 20))
            x = 32 * (number % 2) + int(rng.integers(0, 32 - side))
            y = 32 * (number // 2) + int(rng.integers(0, 32 - side))
            picture[y : y + side, x : x + side] = (*paint, 40, number, 0)
            rows.append(Seen(number, side * side, 2.0, 1.5))
        seen.append(tuple(rows))
    return HouseViews("train/0", tuple(facts(name) for name in PAINTS), tuple(seen)), pictures


@pytest.fixture
def painted_views(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    for part, houses in (("train", 2), ("tune", 1), ("held-out", 1)):
        for index in range(houses):
            path = tmp_path / "views" / part / f"houses-{index:05d}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            about, pictures = painted_house(rng, 16)
            np.save(array_path(path), pictures)
            path.write_bytes(msgspec.json.encode(GroupViews((about,))))
    return tmp_path / "views"


@pytest.fixture
def text_model(tmp_path: Path) -> Path:
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "apple",
        "mug",
        "sofa",
        "set",
        "##tee",
        "coffee",
        "tie",
        "-",
        "dye",
        "surfboard",
        "find",
        "the",
        "a",
        "go",
        "to",
    ]
    torch.manual_seed(0)
    network = MiniLm(MiniLmShape(words=len(words), width=32, layers=1, heads=2))
    path = tmp_path / "text.safetensors"
    save_minilm(path, network, WordPieces(words))
    return path
