"""The memory through which observations reach a sandbox."""

import os
from contextlib import closing

import numpy as np
import pytest

from pentathlon.core import DataError
from pentathlon.server.sandbox.window import WINDOW_BYTES, ReadOnlyWindow, Window


def test_arrays_come_out_as_they_went_in() -> None:
    with closing(Window()) as window:
        inside = ReadOnlyWindow(os.dup(window.descriptor))
        first = {
            "joints": np.linspace(0, 1, 7, dtype=np.float32),
            "image": np.arange(105, dtype=np.uint8).reshape(5, 7, 3)[:, ::-1],
            "foreign": np.arange(3, dtype=">f8"),
            "flag": np.array(True),
        }
        seen = {name: inside.look(placed) for name, placed in window.place(first).items()}
        for name, array in first.items():
            np.testing.assert_array_equal(seen[name], array)
            assert seen[name].dtype == array.dtype.newbyteorder("=")
            assert seen[name].flags.writeable
        kept = seen["image"]
        inside.look(window.place({"image": np.zeros((5, 7, 3), np.uint8)})["image"])
        np.testing.assert_array_equal(kept, first["image"])


@pytest.mark.parametrize(
    "array",
    [np.zeros(WINDOW_BYTES + 1, np.uint8), np.array([object()]), np.zeros(2, complex)],
    ids=["large", "objects", "complex"],
)
def test_what_does_not_fit_is_refused(array: np.ndarray) -> None:
    with closing(Window()) as window, pytest.raises(DataError, match="The observation 'x' cannot be sent"):
        window.place({"x": array})


def test_the_other_side_can_neither_write_nor_resize_it() -> None:
    with closing(Window()) as window:
        for deed in (
            lambda: os.write(window.descriptor, b"x"),
            lambda: os.ftruncate(window.descriptor, 0),
            lambda: os.ftruncate(os.open(f"/proc/self/fd/{window.descriptor}", os.O_RDWR), 0),
            lambda: os.write(os.open(f"/proc/self/fd/{window.descriptor}", os.O_RDWR), b"x"),
        ):
            with pytest.raises(OSError, match="Bad file descriptor|Invalid argument|not permitted"):
                deed()
