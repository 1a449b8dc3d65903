"""Looks through /proc for other people's processes, environments and files."""

import os
from pathlib import Path

from honest import Honest, attempt


def make(host_pid, **_):
    numbers = [name for name in os.listdir("/proc") if name.isdigit()]
    print("processes seen:", len(numbers))
    for number in {*numbers, str(host_pid)} - {str(os.getpid())}:
        for file in ("environ", "cmdline", "maps", "mountinfo"):
            try:
                print(number, file, Path("/proc", number, file).read_bytes())
            except OSError as error:
                print("blocked", number, file, error)
        attempt(f"list the descriptors of {number}", lambda number=number: os.listdir(f"/proc/{number}/fd"))
        attempt(f"escape through {number}", lambda number=number: os.stat(f"/proc/{number}/root/etc/shadow"))
    return Honest()
