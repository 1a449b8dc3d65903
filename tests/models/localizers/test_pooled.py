from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from pentathlon.models.image_text.pooled import PooledDense
from pentathlon.models.image_text.trained import load_dense
from pentathlon.models.localizers import open_localizer
from pentathlon.models.localizers.dense_gradient import DenseGradient
from pentathlon.models.localizers.opening import DENSE
from pentathlon.models.localizers.prompts import PHOTO
from pentathlon.models.localizers.thresholds import Thresholds
from pentathlon.models.weights import resolve_weights

RGB = np.random.default_rng(0).integers(0, 256, (224, 224, 3), dtype=np.uint8)
FAR = np.full((224, 224), 2.0, np.float32)


@pytest.fixture(scope="module")
def model() -> PooledDense:
    return PooledDense(load_dense(resolve_weights(DENSE)))


def test_a_picture_is_the_mean_of_its_places(model: PooledDense) -> None:
    vectors = model.embed_images(np.stack([RGB, RGB[::-1]]))
    with torch.no_grad():
        places = model.network.pictures(model.prepare(RGB[None]))[0].flatten(1)
    mean = F.normalize(places.mean(1), dim=0).cpu().numpy()
    assert np.allclose(vectors[0], mean, atol=1e-5)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert model.embed_texts(["mug", "red mug"]).shape == (2, vectors.shape[1])


def test_watching_the_attention_changes_nothing_and_the_map_is_its_weighed_sum(model: PooledDense) -> None:
    before = model.embed_images(RGB[None])
    gradient = DenseGradient(model, "test", Thresholds(0.1, 0.1), PHOTO)
    assert np.allclose(model.embed_images(RGB[None]), before, atol=1e-4)
    gradient.describe("mug", "mug")
    found = gradient.relevance(RGB, FAR).map
    assert found.shape == (224, 224)
    assert found.min() >= 0.0
    assert found.max() > 0.0
    again = gradient.relevance(RGB, FAR).map
    assert np.array_equal(found, again)


@pytest.mark.parametrize("kind", ["clip-ref-photo", "clip-patch-photo"])
def test_nine_regions_of_the_built_in_network_add_up_to_one(kind: str) -> None:
    localizer = open_localizer(f"{kind}:builtin")
    localizer.describe("mug", "mug")
    found = localizer.relevance(RGB, FAR).map
    assert found[37::75, 37::75].sum() == pytest.approx(1.0, abs=1e-5)
