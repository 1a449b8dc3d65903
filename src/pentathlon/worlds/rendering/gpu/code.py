"""Kernels in CUDA C, compiled at first use and launched by name on tensors: on a GPU, or on the CPU to be tested.

A GPU needs nothing beyond a torch built for CUDA: its own NVRTC compiles and the driver launches, both by ctypes.
The CPU needs a C++ compiler. What was compiled is kept in the user's cache folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import platformdirs
import torch

from pentathlon.core.errors import MachineError, MissingDependencyError, UsageError

Argument = torch.Tensor | int | float | None
_HOST: Final = Path(__file__).parent / "source" / "host.cpp"


@dataclass(frozen=True)
class Source:
    """The text of some kernels.

    Attributes:
        files: read one after the other.
        kernels: names to launch.
        defines: macros, such as FULL=1.
    """

    files: tuple[Path, ...]
    kernels: tuple[str, ...]
    defines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All files as one."""
        return "\n".join(file.read_text(encoding="utf-8") for file in self.files)


class Code(Protocol):
    """Compiled kernels of one device."""

    @property
    def device(self) -> torch.device:
        """Where the tensors of a launch must lie."""
        ...

    def launch(self, name: str, grid: Sequence[int], threads: int, arguments: Sequence[Argument]) -> None:
        """Runs a kernel on the device's present stream.

        Args:
            name: of the kernel.
            grid: blocks in one to three directions.
            threads: of a block.
            arguments: tensors go as addresses, whole numbers and floats with 32 bits, None as no address.
        """
        ...


def open_code(source: Source, device: torch.device) -> Code:
    """Compiles kernels for a device, or finds them compiled.

    Raises:
        MissingDependencyError: there is no CUDA torch, or for the CPU no C++ compiler.
    """
    if device.type == "cuda":
        from pentathlon.worlds.rendering.gpu.cuda import CudaCode

        return CudaCode(source, device)
    if device.type == "cpu":
        return HostCode(source)
    raise UsageError(f"Expected a cuda or cpu device, got {device}.")


def find_device(device: str | torch.device) -> torch.device:
    """Returns the device if kernels can run there.

    Raises:
        MissingDependencyError: a GPU is asked for and torch sees none.
    """
    chosen = torch.device(device)
    if chosen.type == "cuda" and not torch.cuda.is_available():
        built = f"built for CUDA {torch.version.cuda}" if torch.version.cuda else "built without CUDA"
        raise MissingDependencyError(
            "A GPU",
            "pip install torch (a build for CUDA, on a machine with an NVIDIA GPU and its driver)",
            why=f"This torch {torch.__version__} is {built} and sees none.",
        )
    return (
        torch.device("cuda", torch.cuda.current_device()) if chosen.type == "cuda" and chosen.index is None else chosen
    )


def cache_file(text: str, suffix: str) -> Path:
    """Returns where what is compiled from a text, and from what it depends on, is kept."""
    root = platformdirs.user_cache_path("pentathlon") / "gpu"
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError:
        root = Path(tempfile.mkdtemp(prefix="pentathlon-gpu-"))
    return root / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}{suffix}"


def pointers(arguments: Sequence[Argument], device: torch.device) -> tuple[ctypes.Array[ctypes.c_void_p], list[object]]:
    """Returns addresses of a launch's arguments, and what must live as long as they are read."""
    values: list[ctypes.c_void_p | ctypes.c_float | ctypes.c_int] = []
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            if argument.device != device or not argument.is_contiguous():
                raise UsageError(f"Expected a contiguous tensor on {device}, got one on {argument.device}.")
            values.append(ctypes.c_void_p(argument.data_ptr()))
        elif argument is None:
            values.append(ctypes.c_void_p(0))
        elif isinstance(argument, float):
            values.append(ctypes.c_float(argument))
        else:
            values.append(ctypes.c_int(argument))
    return (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values)), [*values]


class HostCode:
    """Kernels compiled for the CPU; slow, for tests."""

    def __init__(self, source: Source) -> None:
        self.device = torch.device("cpu")
        self._library = ctypes.CDLL(str(_compiled_for_host(source)))

    def launch(self, name: str, grid: Sequence[int], threads: int, arguments: Sequence[Argument]) -> None:
        """Runs a kernel, a thread after the other."""
        blocks = (ctypes.c_int * 3)(*(*grid, 1, 1)[:3])
        addresses, _kept = pointers(arguments, self.device)
        if self._library.launch(name.encode(), blocks, threads, addresses):
            raise UsageError(f"Expected the name of a kernel, got {name!r}.")


def _compiled_for_host(source: Source) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise MissingDependencyError("A C++ compiler", "apt install g++", why="It tests the GPU's kernels on the CPU.")
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    # Fused operations would round positions in houses otherwise than NumPy does.
    flags = ["-std=c++17", "-O2", "-march=native", "-fno-math-errno", "-ffp-contract=off", "-shared", "-fPIC"]
    kernel_list = " ".join(f"KERNEL({name})" for name in source.kernels)
    flags += [f"-D{define}" for define in source.defines] + [f"-DKERNEL_LIST={kernel_list}"]
    text = source.text
    made = cache_file(f"{version}{flags}{_HOST.read_text(encoding='utf-8')}{text}", ".so")
    if made.exists():
        return made
    with tempfile.TemporaryDirectory() as folder:
        kernels, library = Path(folder, "kernels.cu"), Path(folder, "kernels.so")
        kernels.write_text(text, encoding="utf-8")
        command = [compiler, *flags, f'-DKERNELS="{kernels}"', str(_HOST), "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MachineError(f"The C++ compiler refused the GPU's kernels:\n{done.stderr[-4000:]}")
        beside = made.with_suffix(f".{os.getpid()}.part")
        shutil.copy(library, beside)
        beside.replace(made)
    return made
