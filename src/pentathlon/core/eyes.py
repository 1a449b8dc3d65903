"""Names of the renderers and of their settings, which protocols and command lines hold without importing any."""

from __future__ import annotations

from typing import Literal, TypeAlias

Renderer: TypeAlias = Literal["raycast", "opengl"]
"""The ray caster, which needs pip packages only, or MuJoCo's own as a reference."""
Setting: TypeAlias = Literal["fast", "fine"]
