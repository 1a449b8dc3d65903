"""One frame of a trial's film: camera, relevance, the agent's map and the true way side by side, under a caption."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Picture = npt.NDArray[np.uint8]
Map = npt.NDArray[np.float32]

PANEL_PX = 224
CAPTION_PX = 34
GAP_PX = 4
BACKGROUND_RGB, TEXT_RGB = (18, 20, 24), (232, 234, 238)
NOTHING_RGB = (44, 48, 56)
PHASE_RGB = {"spin": (250, 190, 70), "explore": (90, 170, 250), "exploit": (235, 92, 72)}


@dataclass(frozen=True)
class Panels:
    """What a frame shows; what an agent does not tell stays empty.

    Attributes:
        rgb: what the camera saw.
        relevance: of that picture, on any grid.
        map: the agent's own map.
        plan: the house from above with the way so far.
        caption: a line about the trial.
        phase: what the agent says it is doing.
    """

    rgb: Picture
    relevance: Map | None
    map: Picture | None
    plan: Picture | None
    caption: str
    phase: str = ""


def draw_panels(panels: Panels) -> Picture:
    """Returns the frame."""
    tiles = [
        _fitted(panels.rgb),
        _fitted(None if panels.relevance is None else heated(panels.rgb, panels.relevance)),
        _fitted(panels.map, blocky=True),
        _fitted(panels.plan),
    ]
    width = len(tiles) * (PANEL_PX + GAP_PX) - GAP_PX
    frame = Image.new("RGB", (width, PANEL_PX + CAPTION_PX), BACKGROUND_RGB)
    for place, tile in enumerate(tiles):
        frame.paste(tile, (place * (PANEL_PX + GAP_PX), CAPTION_PX))
    draw = ImageDraw.Draw(frame)
    draw.rectangle((6, 10, 20, 24), fill=PHASE_RGB.get(panels.phase, NOTHING_RGB))
    words = f"{panels.phase}   {panels.caption}" if panels.phase else panels.caption
    draw.text((28, CAPTION_PX / 2), words, fill=TEXT_RGB, anchor="lm", font_size=14)
    return np.asarray(frame)


def heated(rgb: Picture, relevance: Map) -> Picture:
    """Lays a relevance map over a grey picture: dark blue where it is lowest, red where it is highest."""
    grid = Image.fromarray(np.nan_to_num(relevance).astype(np.float32)).resize(
        (rgb.shape[1], rgb.shape[0]), Image.Resampling.NEAREST
    )
    values = np.asarray(grid)
    spread = float(values.max() - values.min())
    share = ((values - values.min()) / spread if spread > 0 else np.zeros_like(values))[..., None]
    colour = np.concatenate([255 * share, 170 * share * (1 - share) + 30, 200 * (1 - share)], axis=2)
    grey = rgb.mean(axis=2, keepdims=True)
    weight = 0.35 + 0.4 * share
    mixed: Picture = ((1 - weight) * grey + weight * colour).clip(0, 255).astype(np.uint8)
    return mixed


def _fitted(picture: Picture | None, blocky: bool = False) -> Image.Image:
    """A picture in the middle of a square tile, as large as it fits."""
    tile = Image.new("RGB", (PANEL_PX, PANEL_PX), NOTHING_RGB)
    if picture is None:
        return tile
    scale = PANEL_PX / max(picture.shape[:2])
    size = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
    way = Image.Resampling.NEAREST if blocky else Image.Resampling.BILINEAR
    fitted = Image.fromarray(picture).resize(size, way)
    tile.paste(fitted, ((PANEL_PX - size[0]) // 2, (PANEL_PX - size[1]) // 2))
    return tile
