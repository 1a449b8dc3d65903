"""Units of size."""

from typing import Final

MEBIBYTE: Final = 2**20
GIBIBYTE: Final = 2**30
