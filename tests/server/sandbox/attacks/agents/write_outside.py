"""Writes to its own submission, to the system, to Python's packages and to a file of the host."""

from pathlib import Path

import numpy
from honest import Honest, attempt

import pentathlon


def make(canary, **_):
    places = [
        canary,
        "/written",
        "/usr/written",
        "/etc/written",
        "/dev/written",
        "/entrant/written",
        "/proc/sys/kernel/core_pattern",
        str(Path(numpy.__file__).with_name("written")),
        str(Path(pentathlon.__file__).with_name("written")),
        pentathlon.__file__,
    ]
    for place in places:
        attempt(f"write {place}", lambda place=place: Path(place).open("a").write("written"))
    return Honest()
