"""How many processors this process may use, and what they are."""

from __future__ import annotations

import os
import platform
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
_VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX", "asimd": "NEON"}
BFLOAT16 = "bfloat16"
_BFLOAT16 = {"avx512_bf16", "amx_bf16", "bf16"}


def usable_cpus() -> int:
    """Counts the CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    """Returns the processor's name as the system gives it."""
    return field_of(CPUINFO, "model name") or platform.processor() or platform.machine()


def vector_instructions() -> str:
    """Returns the widest vector instructions, by which speed differs several times; empty where they are not known."""
    features = set((field_of(CPUINFO, "flags") or field_of(CPUINFO, "Features")).split())
    widest = next((name for feature, name in _VECTORS.items() if feature in features), "")
    return f"{widest}, {BFLOAT16}" if widest and features & _BFLOAT16 else widest


def field_of(path: Path, name: str) -> str:
    """Reads a field of a file of ``name: value`` lines, the first of that name; empty where there is none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == name), "")
