"""Names of the renderers and of their settings, which protocols and command lines hold without importing any."""

from __future__ import annotations

from typing import Literal, TypeAlias

Renderer: TypeAlias = Literal["raycast", "opengl", "gpu"]
"""The ray caster, which needs pip packages only, MuJoCo's own as a reference, or the ray caster on a GPU."""
Setting: TypeAlias = Literal["fast", "fine"]
