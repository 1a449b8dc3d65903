"""How rays are shot: by default as wide as the processor is, otherwise as a test or a measurement asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.embree import PROPERTY_NATIVE_RAYS

WIDTHS: Final = tuple(PROPERTY_NATIVE_RAYS)
INSTRUCTION_SETS: Final = ("sse2", "sse4.2", "avx", "avx2", "avx512")


@dataclass(frozen=True)
class RayOptions:
    """What to shoot rays with. Pictures do not depend on it.

    Attributes:
        width: rays in one call of Embree, 16, 8 or 4; what Embree calls native here when None.
        instruction_set: Embree's name of the widest one that it may use; the processor's widest when None.
    """

    width: int | None = None
    instruction_set: str | None = None

    def __post_init__(self) -> None:
        if self.width not in (None, *WIDTHS):
            raise UsageError(f"Expected a ray width of {', '.join(map(str, WIDTHS))}, got {self.width}.")
        if self.instruction_set not in (None, *INSTRUCTION_SETS):
            known = ", ".join(INSTRUCTION_SETS)
            raise UsageError(f"Expected an instruction set of {known}, got {self.instruction_set!r}.")

    @property
    def device_config(self) -> str:
        """Embree's configuration of a device."""
        return "threads=1" if self.instruction_set is None else f"threads=1,isa={self.instruction_set}"
