"""Kernels on a GPU: compiled by the NVRTC that torch brings along, loaded and launched by the driver."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import torch

from pentathlon.core.errors import MachineError, MissingDependencyError
from pentathlon.worlds.rendering.gpu.code import Argument, Source, cache_file, pointers

_FACTS: Final = {"registers": 4, "local_bytes": 3, "shared_bytes": 1}


class CudaCode:
    """The kernels of one source on one GPU."""

    def __init__(self, source: Source, device: torch.device) -> None:
        self.device = device
        self._driver = ctypes.CDLL("libcuda.so.1")
        with torch.cuda.device(device):
            torch.zeros(1, device=device)  # makes torch's context present, which everything here shares
            self._image = _compiled(source, device)
            self._module = ctypes.c_void_p()
            self._check(self._driver.cuModuleLoadData(ctypes.byref(self._module), self._image))
        self._functions = {name: self._function(name) for name in source.kernels}

    def launch(self, name: str, grid: Sequence[int], threads: int, arguments: Sequence[Argument]) -> None:
        """Runs a kernel on torch's present stream."""
        x, y, z = (*grid, 1, 1)[:3]
        addresses, _kept = pointers(arguments, self.device)
        stream = ctypes.c_void_p(torch.cuda.current_stream(self.device).cuda_stream)
        function = self._functions[name]
        self._check(self._driver.cuLaunchKernel(function, x, y, z, threads, 1, 1, 0, stream, addresses, None))

    def facts(self, name: str) -> dict[str, int]:
        """Returns how many registers and how much memory a thread of a kernel takes."""
        found, value = {}, ctypes.c_int()
        for fact, attribute in _FACTS.items():
            self._check(self._driver.cuFuncGetAttribute(ctypes.byref(value), attribute, self._functions[name]))
            found[fact] = value.value
        return found

    def _function(self, name: str) -> ctypes.c_void_p:
        function = ctypes.c_void_p()
        self._check(self._driver.cuModuleGetFunction(ctypes.byref(function), self._module, name.encode()))
        return function

    def _check(self, code: int) -> None:
        if code:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(code, ctypes.byref(text))
            raise MachineError(f"The GPU's driver refused a call: {(text.value or b'?').decode()} (error {code}).")


def _compiled(source: Source, device: torch.device) -> bytes:
    """Returns the binary of a source for a device, from the cache where it is there."""
    major, minor = torch.cuda.get_device_capability(device)
    flags = [f"--gpu-architecture=sm_{major}{minor}", "--std=c++17", "--use_fast_math", "-DON_GPU=1"]
    flags += [f"-D{define}" for define in source.defines]
    made = cache_file(f"{torch.version.cuda}{flags}{source.text}", ".cubin")
    if made.exists():
        return made.read_bytes()
    image = _compile(source.text, flags)
    beside = made.with_suffix(f".{os.getpid()}.part")
    beside.write_bytes(image)
    beside.replace(made)
    return image


def _compile(text: str, flags: list[str]) -> bytes:
    nvrtc, program, size = _nvrtc(), ctypes.c_void_p(), ctypes.c_size_t()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None):
        raise MachineError("NVRTC made no program from the kernels' source.")
    options = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
    try:
        if nvrtc.nvrtcCompileProgram(program, len(flags), options):
            nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            nvrtc.nvrtcGetProgramLog(program, log)
            raise MachineError(f"NVRTC refused the kernels:\n{log.value.decode()[-4000:]}")
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        image = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetCUBIN(program, image)
        return image.raw
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


@cache
def _nvrtc() -> ctypes.CDLL:
    """Returns the NVRTC of torch's own packages, or the system's."""
    major = str(torch.version.cuda).partition(".")[0]
    packages = Path(torch.__file__).parent.parent / "nvidia"
    wheels = sorted(packages.glob(f"**/libnvrtc.so.{major}*")) + sorted(packages.glob("**/libnvrtc.so.*"))
    for name in (*map(str, wheels), f"libnvrtc.so.{major}", "libnvrtc.so"):
        try:
            if os.sep in name:  # NVRTC opens its builtins by name, which finds only what is loaded already
                for builtins in Path(name).parent.glob("libnvrtc-builtins.so.*"):
                    ctypes.CDLL(str(builtins))
            return ctypes.CDLL(name)
        except OSError:
            continue
    package = f"nvidia-cuda-nvrtc-cu{major}"
    raise MissingDependencyError("NVRTC", f"pip install {package}", why="It was not found beside torch.")
