"""Images are taken together on a CPU only where that gives the bits that each would get alone."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.entrants import Images
from pentathlon.models.encoders.factories import pixels, random_vit
from pentathlon.models.encoders.network import Tokens
from pentathlon.models.encoders.torch_encoder import CPU_BLOCK, TorchEncoder


@pytest.mark.parametrize("count", [1, CPU_BLOCK, CPU_BLOCK + 1, 2 * CPU_BLOCK + 3])
@pytest.mark.parametrize("exact", [True, False])
def test_a_batch_is_cut_into_blocks_and_single_images(count: int, exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = pixels(2)
    monkeypatch.setattr(TorchEncoder, "_blocks_are_exact", exact)
    spans = list(encoder._spans(count))
    assert [index for start, stop in spans for index in range(start, stop)] == list(range(count))
    whole = count // CPU_BLOCK if exact else 0
    assert [stop - start for start, stop in spans] == [CPU_BLOCK] * whole + [1] * (count - whole * CPU_BLOCK)


def test_features_do_not_depend_on_the_batch() -> None:
    encoder = random_vit("tiny", image_size=32)
    images = np.random.default_rng(0).integers(0, 256, (2 * CPU_BLOCK + 1, 40, 40, 3), dtype=np.uint8)
    whole = encoder.encode(images)
    for start in range(len(images)):
        np.testing.assert_array_equal(encoder.encode(images[start : start + 1]).pooled, whole.pooled[start : start + 1])
    assert whole.patches is not None
    np.testing.assert_array_equal(encoder.encode(images[3:8]).patches, whole.patches[3:8])


def test_a_machine_whose_blocks_round_differently_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = random_vit("tiny", image_size=32)
    plain = encoder._forward

    def rounding(images: Images) -> Tokens:
        tokens = plain(images)
        return tokens._replace(pooled=tokens.pooled * (1.0 + 1e-6 * (len(images) > 1)))

    monkeypatch.setattr(encoder, "_forward", rounding)
    assert not encoder._blocks_are_exact
