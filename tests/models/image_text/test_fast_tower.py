from __future__ import annotations

import copy

import pytest
import torch

from pentathlon.models.image_text import fast_tower as module
from pentathlon.models.image_text.dense import PictureTower, prepare
from pentathlon.models.image_text.fast_tower import fast_tower
from pentathlon.models.image_text.trained import load_dense
from pentathlon.models.localizers.opening import DENSE
from pentathlon.models.weights import resolve_weights

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def tower() -> PictureTower:
    return load_dense(resolve_weights(DENSE)).network.pictures.eval()


@pytest.mark.parametrize(("half", "dtype", "apart"), [(False, torch.float32, 1e-4), (True, torch.bfloat16, 0.02)])
@torch.inference_mode()
def test_the_fast_tower_sees_what_the_trained_one_sees(
    tower: PictureTower, monkeypatch: pytest.MonkeyPatch, half: bool, dtype: torch.dtype, apart: float
) -> None:
    monkeypatch.setattr(module, "multiplies_bfloat16", lambda device: half)
    assert fast_tower(copy.deepcopy(tower), CPU, exact=True).places.dtype == torch.float32
    rng = torch.Generator().manual_seed(0)
    rgb = torch.randint(0, 256, (2, 64, 64, 3), dtype=torch.uint8, generator=rng)
    pixels = prepare(rgb, 5 * torch.rand(2, 64, 64, generator=rng))
    fast = fast_tower(copy.deepcopy(tower), CPU)
    seen = fast(pixels)
    assert fast.places.dtype == dtype
    assert seen.dtype == torch.float32
    assert float((seen - tower(pixels)).abs().max()) < apart
    assert float((seen * tower(pixels)).sum(1).min()) > 0.995


@pytest.mark.parametrize(
    ("vectors", "may"), [("AVX-512", False), ("AVX2", False), ("", False), ("AVX-512, bfloat16", True)]
)
def test_a_processor_that_imitates_bfloat16_uses_float32(
    monkeypatch: pytest.MonkeyPatch, vectors: str, may: bool
) -> None:
    monkeypatch.setattr(module, "vector_instructions", lambda: vectors)
    library_may = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    assert module.multiplies_bfloat16(CPU) == (may and library_may)
