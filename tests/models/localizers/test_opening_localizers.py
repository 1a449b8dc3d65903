"""Localizers by name, from folders that save_pretrained wrote, and their thresholds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import platformdirs
import pytest
import transformers
from random_models import (
    CLIP_TEXT,
    CLIP_TOKENS,
    SMALL,
    clip_tokenizer,
    no_depth,
    picture,
    seeded,
    small_clip,
    small_dino,
)

from pentathlon.core.errors import DataError, UnknownIdError, UsageError
from pentathlon.models.localizers import open_localizer
from pentathlon.models.localizers.grounding_dino import GroundingDino
from pentathlon.models.localizers.thresholds import (
    FILE_NAME,
    Thresholds,
    default_thresholds,
    read_thresholds,
    write_thresholds,
)


@pytest.fixture
def clip_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "clip"
    clip_tokenizer(folder).save_pretrained(str(folder))
    small_clip().save_pretrained(str(folder))
    return folder


@pytest.fixture
def owl_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "owl"
    clip_tokenizer(folder).save_pretrained(str(folder))
    text = {**SMALL, **CLIP_TEXT, "vocab_size": len(CLIP_TOKENS)}
    config = transformers.OwlViTConfig(
        text_config=text, vision_config={**SMALL, "image_size": 64, "patch_size": 16}, projection_dim=32
    )
    seeded(transformers.OwlViTForObjectDetection, config, 0.3).save_pretrained(str(folder))
    return folder


@pytest.mark.parametrize(
    ("kind", "threshold"),
    [("clip-ref", 0.125), ("clip-patch", 0.75), ("clip-grad", 0.375), ("clip-grad-photo", 0.375), ("owl", 0.125)],
)
def test_folders_are_opened_with_the_paper_s_thresholds(
    kind: str, threshold: float, clip_folder: Path, owl_folder: Path
) -> None:
    name = f"{kind}:{owl_folder if kind == 'owl' else clip_folder}"
    localizer, rgb = open_localizer(name), picture(60, 70)
    localizer.describe("red mug", "mug")
    found = localizer.relevance(rgb, no_depth(rgb))
    assert localizer.name == name
    assert (found.go, found.stop) == (threshold, threshold)
    assert found.map.shape == (60, 70)
    assert np.isfinite(found.map).all()
    assert np.ptp(found.map) > 1e-3


def test_grounding_dino_and_owl_v2_are_opened_whole(tmp_path: Path) -> None:
    dino, owl = tmp_path / "dino", tmp_path / "owl2"
    network, words = small_dino(dino)
    network.save_pretrained(str(dino))
    words.save_pretrained(str(dino))
    clip_tokenizer(owl).save_pretrained(str(owl))
    text = {**SMALL, **CLIP_TEXT, "vocab_size": len(CLIP_TOKENS)}
    vision = {**SMALL, "image_size": 64, "patch_size": 16}
    config = transformers.Owlv2Config(text_config=text, vision_config=vision, projection_dim=32)
    seeded(transformers.Owlv2ForObjectDetection, config, 0.3).save_pretrained(str(owl))
    rgb = picture(30, 40)
    for name, threshold in ((f"grounding-dino:{dino}", 0.25), (f"owl:{owl}", 0.125)):
        localizer = open_localizer(name)
        localizer.describe("red mug", "mug")
        found = localizer.relevance(rgb, no_depth(rgb))
        assert found.go == threshold
        assert np.ptp(found.map) > 1e-3
    again = GroundingDino(network, words, "dino", Thresholds(0.25, 0.25))
    again.describe("red mug", "mug")
    opened = open_localizer(f"grounding-dino:{dino}")
    opened.describe("red mug", "mug")
    np.testing.assert_allclose(opened.relevance(rgb, no_depth(rgb)).map, again.relevance(rgb, no_depth(rgb)).map)


def test_the_paper_s_thresholds_follow_the_patches() -> None:
    """Table 5, RoboTHOR and PASTURE."""
    found = {kind: tuple(default_thresholds(kind, px).go for px in (32, 16)) for kind in ("clip-ref", "clip-patch")}
    assert found == {"clip-ref": (0.25, 0.125), "clip-patch": (0.875, 0.75)}
    assert (default_thresholds("clip-grad", 32).go, default_thresholds("clip-grad", 14).go) == (0.625, 0.375)
    assert default_thresholds("clip-grad-photo", 32) == default_thresholds("clip-grad", 32)
    assert default_thresholds("grounding-dino", 0).go == 0.25


def test_tuned_thresholds_lie_beside_the_weights_and_are_used(clip_folder: Path) -> None:
    path = write_thresholds(str(clip_folder), "clip-grad", Thresholds(0.1, 0.2, 0.4, 500))
    write_thresholds(str(clip_folder), "clip-patch", Thresholds(0.3, 0.3, 0.5, 500))
    assert path == clip_folder / FILE_NAME
    localizer, rgb = open_localizer(f"clip-grad:{clip_folder}"), picture(32, 32)
    localizer.describe("mug", "mug")
    found = localizer.relevance(rgb, no_depth(rgb))
    assert (found.go, found.stop) == (0.1, 0.2)
    assert read_thresholds(str(clip_folder), "clip-ref") is None


def test_those_of_a_hub_id_lie_in_the_user_s_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    path = write_thresholds("openai/clip-vit-base-patch32", "clip-grad", Thresholds(0.1, 0.2))
    assert path == tmp_path / "pentathlon" / "localizers" / "openai--clip-vit-base-patch32.json"
    assert read_thresholds("openai/clip-vit-base-patch32", "clip-grad") == Thresholds(0.1, 0.2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "Expected pentathlon-localizer-thresholds-v1 in"),
        ('{"format": "other", "localizers": {}}', "got something else .format 'other'"),
        (
            '{"format": "pentathlon-localizer-thresholds-v1", "localizers": {"owl": {"go": 2, "stop": 1}}}',
            "go 2, stop 1",
        ),
        ('{"format": "pentathlon-localizer-thresholds-v1", "localizers": {"owl": [1]}}', "Expected go and stop"),
    ],
)
def test_broken_thresholds_are_told(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(content)
    with pytest.raises(DataError, match=message):
        read_thresholds(str(tmp_path), "owl")


def test_wrong_names_and_folders_are_refused(clip_folder: Path, owl_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownIdError, match="Unknown localizer 'clip-gard'. Did you mean 'clip-grad'"):
        open_localizer("clip-gard:somewhere")
    with pytest.raises(UsageError, match="Expected weights after owl, got none. Try: owl:google/owlvit-base-patch32"):
        open_localizer("owl")
    with pytest.raises(DataError, match="holds a 'clip' model: expected one of owlv2, owlvit"):
        open_localizer(f"owl:{clip_folder}")
    with pytest.raises(DataError, match="holds a 'owlvit' model: expected one of clip, siglip"):
        open_localizer(f"clip-patch:{owl_folder}")
    with pytest.raises(DataError, match="holds a 'owlvit' model: expected one of grounding-dino"):
        open_localizer(f"grounding-dino:{owl_folder}")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(DataError, match="Expected config.json in .*empty, got none"):
        open_localizer(f"grounding-dino:{empty}")
    (empty / "config.json").write_text(json.dumps(["clip"]))
    with pytest.raises(DataError, match="Expected JSON with 'model_type'"):
        open_localizer(f"clip-grad:{empty}")
    (empty / "config.json").write_text((clip_folder / "config.json").read_text())
    with pytest.raises(DataError, match="Expected weights in .*empty, got none that can be read"):
        open_localizer(f"clip-grad:{empty}")
    with pytest.raises(UnknownIdError, match="Or give a file, a folder or a hub id"):
        open_localizer("owl:./nowhere")
