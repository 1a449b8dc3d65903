"""Compares two renderers' pictures of the same thing, in numbers and side by side."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import mujoco
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.eyes import Eyes, open_eyes
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.opengl.probe import opengl_works

DEPTH_TOLERANCE_M = 1e-3
DIFFERENCE_GAIN = 4
_CAPTION_PIXELS = 14
Other = Literal["opengl", "gpu"]
_LABELS = {"opengl": ("OpenGL, no shadows", "OpenGL, default"), "gpu": ("GPU, fast", "GPU, fine")}


@dataclass(frozen=True)
class Difference:
    """How far two frames of the same view are apart.

    Attributes:
        depth_equal: share of pixels whose depths agree within `DEPTH_TOLERANCE_M`.
        ids_equal: share of pixels that show the same geom.
        colour_mean_abs: mean absolute difference of the channels, in 1/255.
    """

    depth_equal: float
    ids_equal: float
    colour_mean_abs: float

    def __str__(self) -> str:
        return (
            f"depth within 1 mm {100 * self.depth_equal:.2f} %, same geom {100 * self.ids_equal:.2f} %, "
            f"mean colour difference {self.colour_mean_abs:.2f}/255"
        )


@dataclass(frozen=True)
class Comparison:
    """One view through two renderers; the other's frames are None where it does not work."""

    fast: Frame
    fine: Frame
    other_fast: Frame | None
    other_fine: Frame | None
    other: Other = "opengl"

    @property
    def difference(self) -> Difference | None:
        """Ray cast against the other, both with one sample per pixel and no shadows."""
        return None if self.other_fast is None else difference(self.fast, self.other_fast)


def difference(left: Frame, right: Frame) -> Difference:
    """Measures how far two frames are apart."""
    if left.geom_id.shape != right.geom_id.shape:
        raise UsageError(f"Expected frames of one size, got {left.geom_id.shape} and {right.geom_id.shape}.")
    return Difference(
        depth_equal=float(np.mean(np.abs(left.depth_m - right.depth_m) <= DEPTH_TOLERANCE_M)),
        ids_equal=float(np.mean(left.geom_id == right.geom_id)),
        colour_mean_abs=float(np.mean(_colour_distance(left, right))),
    )


def compare_view(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    camera: str | int | mujoco.MjvCamera,
    size: tuple[int, int],
    other: Other = "opengl",
    device: str = "cuda",
) -> Comparison:
    """Renders one view with the ray caster and another renderer, in every setting.

    Args:
        model: what is looked at.
        data: its state.
        camera: through which one.
        size: width and height in pixels.
        other: what the ray caster is compared with; OpenGL is left out where it does not work.
        device: of the other, if that is `gpu`.
    """

    def look(eyes: Eyes) -> Frame:
        with closing(eyes):
            return eyes.render(data, camera, size)

    def look_otherwise(setting: str) -> Frame | None:
        if other == "gpu":
            from pentathlon.worlds.rendering.gpu import GpuEyes

            return look(GpuEyes(model, setting, device=device))
        return look(open_eyes(model, "opengl", setting)) if opengl_works() else None

    return Comparison(
        fast=look(open_eyes(model, "raycast", "fast")),
        fine=look(open_eyes(model, "raycast", "fine")),
        other_fast=look_otherwise("fast"),
        other_fine=look_otherwise("fine"),
        other=other,
    )


def side_by_side(comparison: Comparison, title: str) -> Image.Image:
    """Returns one picture: each setting beside its OpenGL twin, the amplified difference, and a line of numbers."""
    panels: list[tuple[str, npt.NDArray[np.uint8]]] = [("ray cast, fast", comparison.fast.rgb)]
    fast_label, fine_label = _LABELS[comparison.other]
    if comparison.other_fast is not None:
        panels += [
            (fast_label, comparison.other_fast.rgb),
            (f"difference x{DIFFERENCE_GAIN}", _difference_picture(comparison.fast, comparison.other_fast)),
        ]
    panels.append(("ray cast, fine", comparison.fine.rgb))
    if comparison.other_fine is not None:
        panels.append((fine_label, comparison.other_fine.rgb))
    numbers = comparison.difference or "OpenGL does not work on this machine"
    return _strip(panels, f"{title}: {numbers}")


def stack(strips: Sequence[Image.Image]) -> Image.Image:
    """Returns the strips one below the other."""
    sheet = Image.new("RGB", (max(s.width for s in strips), sum(s.height for s in strips)), "white")
    top = 0
    for strip in strips:
        sheet.paste(strip, (0, top))
        top += strip.height
    return sheet


def _colour_distance(left: Frame, right: Frame) -> npt.NDArray[np.int16]:
    return np.abs(left.rgb.astype(np.int16) - right.rgb.astype(np.int16))


def _difference_picture(left: Frame, right: Frame) -> npt.NDArray[np.uint8]:
    return np.minimum(DIFFERENCE_GAIN * _colour_distance(left, right), 255).astype(np.uint8)


def _strip(panels: Sequence[tuple[str, npt.NDArray[np.uint8]]], caption: str) -> Image.Image:
    height, width = panels[0][1].shape[:2]
    strip = Image.new("RGB", (len(panels) * (width + 2) - 2, height + 2 * _CAPTION_PIXELS), "white")
    draw = ImageDraw.Draw(strip)
    for index, (label, pixels) in enumerate(panels):
        left = index * (width + 2)
        strip.paste(Image.fromarray(pixels), (left, _CAPTION_PIXELS))
        draw.text((left + 2, 1), label, fill="black")
    draw.text((2, height + _CAPTION_PIXELS + 1), caption, fill="black")
    return strip
