"""Reads other projects' pickles with an unpickler that builds numpy arrays and plain containers, and nothing else."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError

# What numpy's own pickles name, under the module paths of numpy 1 and 2. None of these can call anything else.
_ALLOWED = {
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("_codecs", "encode"),
    ("collections", "OrderedDict"),
    *(
        (f"numpy.{core}.{module}", name)
        for core in ("core", "_core")
        for module, name in (("multiarray", "_reconstruct"), ("multiarray", "scalar"), ("numeric", "_frombuffer"))
    ),
}


class _ArrayUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise DataError(
                f"The pickle asks for {module}.{name}, which is refused: expected numpy arrays, lists and dictionaries "
                "only. Do not open this file with other programs unless you trust its maker."
            )
        return super().find_class(module, name)


def read_arrays_pickle(path: Path, kind: str) -> Any:
    """Reads a pickle of arrays, numbers and texts in lists and dictionaries.

    Args:
        path: the file.
        kind: what it should be, for the message, such as ``"a CortexBench file"``.

    Raises:
        DataError: when the file is missing, is cut short, or asks for anything else.
    """
    try:
        with path.open("rb") as file:
            return _ArrayUnpickler(file).load()
    except DataError as error:
        raise DataError(f"{path}: {error}") from error
    except Exception as error:  # A broken pickle may raise nearly anything.
        raise DataError(
            f"{path} cannot be read as {kind}: {type(error).__name__}: {error}. It may be cut short: "
            "copy it again and compare its size."
        ) from error
