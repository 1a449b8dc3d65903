"""What a run was made with: packages, hardware and command."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pentathlon.storage.cpus import cpu_name, field_of, usable_cpus, vector_instructions

PACKAGES = (
    "pentathlon",
    "av",
    "dm_control",
    "embreex",
    "gymnasium",
    "gymnasium-robotics",
    "metaworld",
    "mujoco",
    "numba",
    "numpy",
    "ray",
    "scipy",
    "torch",
    "transformers",
)


@dataclass(frozen=True)
class Hardware:
    """The machine that a run was started on.

    Attributes:
        vectors: its widest vector instructions, and whether it multiplies bfloat16 itself.
    """

    system: str
    cpu: str
    cpus: int
    memory_gib: float
    gpus: tuple[str, ...] = ()
    vectors: str = ""


def package_versions() -> dict[str, str]:
    """Reads the versions of the packages that shape results, without importing them."""
    found: dict[str, str] = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def hardware() -> Hardware:
    """Describes this machine."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Hardware(
        system=platform.platform(),
        cpu=cpu_name(),
        cpus=usable_cpus(),
        memory_gib=round(pages / 2**30, 1),
        gpus=tuple(field_of(path, "Model") for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information"))),
        vectors=vector_instructions(),
    )


def command_line() -> str:
    """Returns the command as it would be typed."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
