"""The frame-averaging judge over small CLIP and SigLIP models in their full architecture, with random weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from PIL import Image

from pentathlon.core.errors import DataError
from pentathlon.core.registry import resolve_entrant
from pentathlon.models.image_text.huggingface import load_image_text
from pentathlon.models.judges.frames import make_frames

SENTENCES = ("first we open the fridge", "then we close it", "a")
TEXT = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 64}
VISION = {
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 32,
    "patch_size": 8,
}


def write_tokenizer(folder: Path) -> None:
    """A tokenizer of letters, in CLIP's own format."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    tokens = ["<|startoftext|>", "<|endoftext|>", *letters, *(f"{letter}</w>" for letter in letters)]
    (folder / "vocab.json").write_text(json.dumps({token: number for number, token in enumerate(tokens)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    transformers.CLIPTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(str(folder))


def write_model(folder: Path, kind: str) -> Any:
    torch.manual_seed(0)
    folder.mkdir()
    text = {**TEXT, "max_position_embeddings": 12, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    if kind == "clip":
        config = transformers.CLIPConfig(text_config=text, vision_config=VISION, projection_dim=8)
        model = transformers.CLIPModel(config)
    else:
        config = transformers.SiglipConfig(text_config={**text, "projection_size": 16}, vision_config=VISION)
        model = transformers.SiglipModel(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3 if kind == "clip" else 1.0)
    model.save_pretrained(str(folder))
    write_tokenizer(folder)
    return model.eval()


@pytest.fixture(scope="module", params=["clip", "siglip"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, str]:
    folder = tmp_path_factory.mktemp("models") / request.param
    return folder, write_model(folder, request.param), request.param


def clip_of(frames: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (frames, 40, 56, 3), dtype=np.uint8)


def slow_scores(folder: Path, network: Any, kind: str, clip: np.ndarray) -> np.ndarray:
    """One frame and one sentence at a time, with PIL's resizing, from the definition."""
    mean, std = {
        "clip": ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)),
        "siglip": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
    }[kind]
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    frames = []
    for image in clip:
        small = np.asarray(Image.fromarray(image).resize((32, 32), Image.Resampling.BICUBIC), np.float32)
        pixels = torch.from_numpy((small / 255 - mean) / std).permute(2, 0, 1)[None].float()
        feature = network.get_image_features(pixels).pooler_output[0].detach()
        frames.append(feature / feature.norm())
    video = torch.stack(frames).mean(0)
    scores = []
    for sentence in SENTENCES:
        padding = {"padding": "max_length"} if kind == "siglip" else {}
        words = tokenizer(sentence, truncation=True, max_length=12, return_tensors="pt", **padding)
        feature = network.get_text_features(**words).pooler_output[0].detach()
        scores.append(float(video @ (feature / feature.norm())))
    return np.array(scores)


def test_it_agrees_with_its_definition(model: tuple[Path, Any, str]) -> None:
    folder, network, kind = model
    clip = clip_of(20)
    scores = make_frames(str(folder), device="cpu").score(clip, SENTENCES)
    # PIL rounds the resized picture to whole numbers.
    np.testing.assert_allclose(scores, slow_scores(folder, network, kind, clip), atol=5e-3)
    assert np.ptp(scores) > 0.05


def test_shuffling_the_frames_changes_nothing(model: tuple[Path, Any, str]) -> None:
    judge, clip = make_frames(str(model[0]), device="cpu"), clip_of(8)
    shuffled = clip[np.random.default_rng(0).permutation(8)]
    np.testing.assert_allclose(judge.score(clip, SENTENCES), judge.score(shuffled, SENTENCES), atol=1e-6)


def test_a_sentence_s_score_depends_on_no_other(model: tuple[Path, Any, str]) -> None:
    judge, clip = make_frames(str(model[0]), device="cpu"), clip_of(4)
    together = judge.score(clip, SENTENCES)
    alone = [judge.score(clip, [sentence])[0] for sentence in SENTENCES]
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_it_is_entered_by_folder(model: tuple[Path, Any, str]) -> None:
    judge = resolve_entrant(f"frames@{model[0]}").make()
    assert judge.spec.frames == 32
    assert judge.fingerprint == make_frames(str(model[0])).fingerprint


def test_other_models_and_lost_tokenizers_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "vit"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "vit"}')
    with pytest.raises(DataError, match="holds a 'vit' model: expected one of clip, siglip"):
        load_image_text(str(folder))
    whole = tmp_path / "clip"
    write_model(whole, "clip")
    for name in ("vocab.json", "merges.txt", "tokenizer.json", "tokenizer_config.json"):
        (whole / name).unlink(missing_ok=True)
    with pytest.raises(DataError, match="Expected a tokenizer in"):
        load_image_text(str(whole))
