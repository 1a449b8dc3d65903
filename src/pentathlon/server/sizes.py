"""Units of size and time."""

from typing import Final

MEBIBYTE: Final = 2**20
GIBIBYTE: Final = 2**30
DAY_S: Final = 24 * 3600.0
