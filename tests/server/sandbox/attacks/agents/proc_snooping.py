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
        for file in Path("/proc", number, "fd").glob("*") if os.access(f"/proc/{number}/fd", os.R_OK) else ():
            print("descriptor", os.readlink(file))
        attempt(f"escape through {number}", lambda number=number: os.stat(f"/proc/{number}/root/etc/shadow"))
    return Honest()
