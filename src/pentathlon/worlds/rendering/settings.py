"""Named, versioned render settings: they are part of every protocol that looks at pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pentathlon.core.errors import UnknownIdError, UsageError

SAMPLE_COUNTS: Final = (1, 4, 9)


@dataclass(frozen=True)
class RenderSetting:
    """How pictures are made from a scene. Any change of what a name means is a new version."""

    name: str
    version: int = 1
    samples_per_pixel: int = 1
    """1, 4 or 9. The first ray goes through the pixel's centre; the others follow where neighbouring pixels differ."""
    shadows: bool = False
    """Whether lights with `castshadow` are tested for blockers."""
    shadow_lights: tuple[str, ...] | None = None
    """Names of the lights that cast shadows; all that have `castshadow` when None."""
    reflections: bool = False
    """Whether planes and tops of boxes with `reflectance` mirror the scene, once."""
    textures: bool = True
    edge_contrast: int = 16
    """Neighbours whose brightness before textures differs by more than this, of 255, get all samples."""

    def __post_init__(self) -> None:
        if self.samples_per_pixel not in SAMPLE_COUNTS:
            raise UsageError(f"Expected samples_per_pixel to be one of {SAMPLE_COUNTS}, got {self.samples_per_pixel}.")
        if not 0 <= self.edge_contrast <= 255:
            raise UsageError(f"Expected edge_contrast from 0 to 255, got {self.edge_contrast}.")

    @property
    def id(self) -> str:
        """The versioned name that protocols and records hold, such as `fast-v1`."""
        return f"{self.name}-v{self.version}"


FAST: Final = RenderSetting("fast")
FINE: Final = RenderSetting("fine", samples_per_pixel=4, shadows=True, reflections=True)

_BY_NAME: Final = {key: setting for setting in (FAST, FINE) for key in (setting.name, setting.id)}


def find_setting(setting: str | RenderSetting) -> RenderSetting:
    """Returns the setting of that name or versioned id; a setting is returned as it is."""
    if isinstance(setting, RenderSetting):
        return setting
    if setting not in _BY_NAME:
        raise UnknownIdError("render setting", setting, _BY_NAME)
    return _BY_NAME[setting]
