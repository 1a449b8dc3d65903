"""Sheets that show where encoders look, before and after adaptation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from pentathlon.core.entrants import Encoder, Images
from pentathlon.models.attention import Attentive, overlay
from pentathlon.models.encoders.torch_encoder import TorchEncoder

TILE_PX = 224
GAP_PX = 6
HEADING_PX = 20


def shows_attention(encoder: Encoder) -> bool:
    """Tells whether the encoder is a vision transformer whose last layer can be pictured."""
    return isinstance(encoder, TorchEncoder) and isinstance(encoder.network, Attentive)


def attention_sheet(path: Path, images: Images, encoders: Mapping[str, Encoder]) -> None:
    """Writes a PNG: a row for each of ``images[B, H, W, 3]``, then its attention under each of the named encoders."""
    columns = {"frame": list(images)}
    for name, encoder in encoders.items():
        assert isinstance(encoder, TorchEncoder)
        columns[f"attention {name}"] = list(overlay(encoder, images))
    pitch = TILE_PX + GAP_PX
    sheet = Image.new("RGB", (len(columns) * pitch - GAP_PX, HEADING_PX + len(images) * pitch - GAP_PX), "white")
    draw = ImageDraw.Draw(sheet)
    for column, (title, tiles) in enumerate(columns.items()):
        draw.text((column * pitch + 2, 4), title, fill="black")
        for row, tile in enumerate(tiles):
            picture = Image.fromarray(np.ascontiguousarray(tile)).resize((TILE_PX, TILE_PX))
            sheet.paste(picture, (column * pitch, HEADING_PX + row * pitch))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path)
