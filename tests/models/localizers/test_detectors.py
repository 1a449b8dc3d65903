"""OWL-ViT, OWLv2 and Grounding DINO against the library's own processors, at full size with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from PIL import Image
from random_models import CLIP_TEXT, SMALL, bert_tokenizer, clip_tokenizer, no_depth, picture, seeded, small_dino
from transformers.models.grounding_dino.image_processing_pil_grounding_dino import GroundingDinoImageProcessorPil
from transformers.models.owlv2.image_processing_pil_owlv2 import Owlv2ImageProcessorPil
from transformers.models.owlvit.image_processing_pil_owlvit import OwlViTImageProcessorPil

from pentathlon.core.errors import UsageError
from pentathlon.models.localizers.boxes import paint_boxes
from pentathlon.models.localizers.grounding_dino import GroundingDino, fitted_size
from pentathlon.models.localizers.owl import Owl
from pentathlon.models.localizers.preparing import padded_shares
from pentathlon.models.localizers.thresholds import Thresholds

HALF = Thresholds(0.5, 0.6)
SENTENCE = "red mug on the desk"
ALL = list(range(8))


def slow_paint(boxes: np.ndarray, scores: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Each box in turn raises what it covers to its score, in whole pixels as the released code cuts them off."""
    found = np.zeros(shape)
    for (x, y, width, height), score in zip(boxes, scores, strict=True):
        left, right = (max(0, int((x + side * width / 2) * shape[1])) for side in (-1, 1))
        top, bottom = (max(0, int((y + side * height / 2) * shape[0])) for side in (-1, 1))
        covered = found[top : max(bottom, top + 1), left : max(right, left + 1)]
        np.maximum(covered, score, out=covered)
    return found


def owl_vit(folder: Path) -> tuple[Any, Any]:
    config = transformers.OwlViTConfig(text_config=CLIP_TEXT)
    assert (config.vision_config.image_size, config.vision_config.patch_size) == (768, 32)
    processor = transformers.OwlViTProcessor(OwlViTImageProcessorPil(), clip_tokenizer(folder))
    return seeded(transformers.OwlViTForObjectDetection, config, 0.06), processor


def owl_v2(folder: Path) -> tuple[Any, Any]:
    vision = {"image_size": 960, "patch_size": 16}
    config = transformers.Owlv2Config(text_config=CLIP_TEXT, vision_config=vision)
    processor = transformers.Owlv2Processor(Owlv2ImageProcessorPil(), clip_tokenizer(folder))
    return seeded(transformers.Owlv2ForObjectDetection, config, 0.06), processor


@pytest.mark.parametrize(("make", "size", "patches"), [(owl_vit, 768, 24), (owl_v2, 960, 60)])
def test_owl_agrees_with_the_library(make: Any, size: int, patches: int, tmp_path: Path) -> None:
    network, processor = make(tmp_path)
    rgb = picture(size, size)
    localizer = Owl(network, processor.tokenizer, "owl", HALF, "cpu")
    localizer.describe("red mug.", "mug")
    found = localizer.relevance(rgb, no_depth(rgb))
    text = {"max_length": 16, "truncation": True}
    inputs = processor(text=[["a photo of a red mug."]], images=Image.fromarray(rgb), return_tensors="pt", **text)
    with torch.no_grad():
        output = network(**inputs)
    assert output.logits.shape == (1, patches**2, 1)
    scores = torch.sigmoid(output.logits[0, :, 0]).numpy()
    expected = slow_paint(output.pred_boxes[0].numpy(), scores, (size, size))
    # A box may end so near to the edge of a pixel that the last digit decides.
    assert np.mean(np.abs(found.map - expected) > 1e-5) < 1e-3
    assert np.ptp(expected) > 1e-3
    assert found.map.dtype == np.float32
    assert (found.go, found.stop) == (0.5, 0.6)


@pytest.mark.parametrize("shape", [(48, 48), (1000, 1000)])
def test_owl_v2_sees_what_its_own_processor_makes(shape: tuple[int, int]) -> None:
    rgb = picture(*shape)
    expected = Owlv2ImageProcessorPil()(Image.fromarray(rgb), do_normalize=False, return_tensors="pt").pixel_values
    np.testing.assert_allclose(padded_shares(rgb, 960), expected, atol=1e-5)


def test_owl_vit_sees_what_its_own_processor_makes(tmp_path: Path) -> None:
    config = transformers.OwlViTConfig(text_config={**CLIP_TEXT, **SMALL}, vision_config=SMALL, projection_dim=16)
    network = transformers.OwlViTForObjectDetection(config)
    prepared = Owl(network, clip_tokenizer(tmp_path), "owl", HALF, "cpu")._prepare(picture(48, 60))
    expected = OwlViTImageProcessorPil()(Image.fromarray(picture(48, 60)), return_tensors="pt").pixel_values
    np.testing.assert_allclose(prepared, expected, atol=1e-5)


def test_owl_v2_pads_what_is_not_square_with_grey() -> None:
    shares = padded_shares(picture(30, 60), 60)
    assert shares.shape == (1, 3, 60, 60)
    np.testing.assert_allclose(shares[0, :, :30], picture(30, 60).transpose(2, 0, 1) / 255, atol=1e-6)
    assert (shares[0, :, 30:] == 0.5).all()


class Recorder:
    """Keeps what a network was given and what it gave."""

    def __init__(self, network: torch.nn.Module) -> None:
        self.inputs: dict[str, Any] = {}
        self.output: Any = None
        network.register_forward_hook(self._keep, with_kwargs=True)

    def _keep(self, _: Any, __: Any, inputs: dict[str, Any], output: Any) -> None:
        self.inputs, self.output = inputs, output


def test_grounding_dino_agrees_with_the_library(tmp_path: Path) -> None:
    config = transformers.GroundingDinoConfig()
    assert (config.num_queries, list(config.backbone_config.depths)) == (900, [2, 2, 6, 2])
    network, tokenizer = seeded(transformers.GroundingDinoForObjectDetection, config), bert_tokenizer(tmp_path)
    seen, rgb = Recorder(network), picture(800, 800)
    localizer = GroundingDino(network, tokenizer, "dino", HALF, "cpu")
    localizer.describe("Red mug on the desk.", "mug")
    found = localizer.relevance(rgb, no_depth(rgb)).map
    processor = transformers.GroundingDinoProcessor(GroundingDinoImageProcessorPil(), tokenizer)
    inputs = processor(text="red mug on the desk.", images=Image.fromarray(rgb), return_tensors="pt")
    torch.testing.assert_close(seen.inputs["input_ids"], inputs["input_ids"])
    np.testing.assert_allclose(seen.inputs["pixel_values"], inputs["pixel_values"], atol=1e-5)
    assert seen.output.logits.shape == (1, 900, 256)
    scores = 1 / (1 + np.exp(-seen.output.logits[0, :, 2].numpy()))  # start, red, mug
    expected = slow_paint(seen.output.pred_boxes[0].numpy(), scores, (800, 800))
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert np.ptp(found) > 0.01


@pytest.mark.parametrize(
    ("category", "asked"),
    [
        ("mug", [2]),
        ("red mug", [1, 2]),
        ("Desk", [5]),
        ("sofa", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("", [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_grounding_dino_asks_for_the_category_s_words(category: str, asked: list[int], tmp_path: Path) -> None:
    network, tokenizer = small_dino(tmp_path)
    seen, rgb = Recorder(network), picture(20, 34)
    localizer = GroundingDino(network, tokenizer, "dino", HALF, "cpu")
    localizer.describe(SENTENCE, category)
    found = localizer.relevance(rgb, no_depth(rgb)).map
    pixels = GroundingDinoImageProcessorPil()(Image.fromarray(rgb), return_tensors="pt").pixel_values
    assert pixels.shape == (1, 3, 784, 1333)
    np.testing.assert_allclose(seen.inputs["pixel_values"], pixels, atol=1e-5)
    scores = torch.sigmoid(seen.output.logits[0][:, asked].max(dim=1).values).numpy()
    np.testing.assert_allclose(found, slow_paint(seen.output.pred_boxes[0].numpy(), scores, (20, 34)), atol=1e-6)


@pytest.mark.parametrize(("shape", "wanted"), [((224, 224), (800, 800)), ((300, 400), (800, 1066))])
def test_grounding_dino_fits_pictures_as_its_processor_does(shape: tuple[int, int], wanted: tuple[int, int]) -> None:
    inputs = GroundingDinoImageProcessorPil()(Image.fromarray(picture(*shape)), return_tensors="pt")
    assert fitted_size(*shape) == wanted == tuple(inputs.pixel_values.shape[2:])


def test_empty_sentences_are_refused(tmp_path: Path) -> None:
    localizer = GroundingDino(*small_dino(tmp_path), "dino", HALF, "cpu")
    with pytest.raises(UsageError, match="Expected a description such as"):
        localizer.describe("", "mug")
    with pytest.raises(UsageError, match="Expected describe before relevance"):
        localizer.relevance(picture(8, 8), np.ones((8, 8), np.float32))


def test_boxes_are_painted_the_best_on_top() -> None:
    boxes = np.array([[0.5, 0.5, 1.0, 1.0], [0.25, 0.5, 0.5, 0.5], [0.9, 0.1, 0.6, 0.01]], np.float32)
    painted = paint_boxes(boxes, np.array([0.2, 0.9, 0.4], np.float32), (4, 4))
    drawn = [[0.2, 0.2, 0.4, 0.4], [0.9, 0.9, 0.2, 0.2], [0.9, 0.9, 0.2, 0.2], [0.2, 0.2, 0.2, 0.2]]
    np.testing.assert_allclose(painted, drawn)
    assert not paint_boxes(np.zeros((0, 4), np.float32), np.zeros(0, np.float32), (2, 2)).any()
