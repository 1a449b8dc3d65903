"""Where the kernels run in these tests: on the CPU if there is a C++ compiler, and on a GPU where there is one."""

from __future__ import annotations

import shutil

import pytest
import torch

DEVICES = [
    pytest.param(
        "cpu", marks=pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler (apt install g++)")
    ),
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")),
]


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)
