"""Reads the upload of somebody else, which lies beside its own on the host."""

import os
from pathlib import Path

from honest import Honest, attempt


def make(upload, **_):
    there = Path(upload)
    beside = Path(__file__).parent / ".." / there.parent.name / there.name
    attempt("read the upload", there.read_bytes)
    attempt("read beside itself", beside.read_bytes)
    attempt("list the host's folder", lambda: os.listdir(there.parent))
    return Honest()
