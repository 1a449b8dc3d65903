"""Prints its environment and its descriptors."""

import os

from honest import Honest


def make(**_):
    print(dict(os.environ))
    for number in sorted(int(name) for name in os.listdir("/proc/self/fd")):
        try:
            print(number, os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue
    return Honest()
