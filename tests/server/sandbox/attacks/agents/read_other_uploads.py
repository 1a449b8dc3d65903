"""Reads the upload of somebody else, which lies beside its own on the host."""

import os
from pathlib import Path

from honest import Honest, attempt


def make(neighbour, **_):
    attempt("read the neighbour", lambda: Path(neighbour, "weights.txt").read_text())
    attempt("read beside itself", lambda: Path(__file__).parent.joinpath("../neighbour/weights.txt").read_text())
    attempt("list the host's folder", lambda: os.listdir(Path(neighbour).parent))
    return Honest()
