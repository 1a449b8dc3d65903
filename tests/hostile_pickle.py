"""A pickle that runs a command when it is read without care."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


class Attack:
    """An object whose pickle touches ``marker``."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.marker}",)
