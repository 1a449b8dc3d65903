"""Names of the renderers and of their settings, which protocols and command lines hold without importing any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Renderer: TypeAlias = Literal["raycast", "opengl", "gpu"]
"""The ray caster, which needs pip packages only, MuJoCo's own as a reference, or the ray caster on a GPU."""
Setting: TypeAlias = Literal["fast", "fine"]


@dataclass(frozen=True, kw_only=True)
class AgentEyes:
    """How an agent sees a house, as protocols record it.

    Attributes:
        size_px: width and height of the pictures.
        fovy_deg: field of view; pictures are square.
        camera_height_m: above the floor.
        render_setting: the renderer's, with its version.
    """

    size_px: int
    fovy_deg: float
    camera_height_m: float
    renderer: Literal["raycast"] = "raycast"
    render_setting: str = "fast-v1"
