"""Released architectures with random weights, and tokenizers of letters and a few words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

_LETTERS = "abcdefghijklmnopqrstuvwxyz.,-"
# The end must have the highest number: OWL's text tower looks for it so.
CLIP_TOKENS = ["!", *_LETTERS, *(f"{letter}</w>" for letter in _LETTERS), "<|startoftext|>", "<|endoftext|>"]
BERT_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_LETTERS, *(f"##{letter}" for letter in _LETTERS)]
BERT_TOKENS += ["red", "mug", "on", "the", "desk"]
START, END = len(CLIP_TOKENS) - 2, len(CLIP_TOKENS) - 1
CLIP_TEXT = {"bos_token_id": START, "eos_token_id": END, "pad_token_id": END}
SMALL = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2}


def clip_tokenizer(folder: Path) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps({token: number for number, token in enumerate(CLIP_TOKENS)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return transformers.CLIPTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))


def bert_tokenizer(folder: Path) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(BERT_TOKENS) + "\n")
    return transformers.BertTokenizer(str(folder / "vocab.txt"))


def seeded(make: Any, config: Any, spread: float | None = None) -> Any:
    """Builds a model; with ``spread`` all its numbers are drawn anew, so that outputs differ from place to place."""
    torch.manual_seed(0)
    model = make(config).eval()
    if spread is not None:
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=spread)
    return model


def small_clip(layers: int = 2) -> Any:
    text = {**SMALL, **CLIP_TEXT, "vocab_size": len(CLIP_TOKENS), "max_position_embeddings": 77}
    vision = {**SMALL, "num_hidden_layers": layers, "image_size": 32, "patch_size": 8}
    config = transformers.CLIPConfig(text_config=text, vision_config=vision, projection_dim=16)
    return seeded(transformers.CLIPModel, config, 0.3)


def small_dino(folder: Path) -> tuple[Any, Any]:
    text = {"model_type": "bert", "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    backbone = {"model_type": "swin", "embed_dim": 12, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 2, 2]}
    config = transformers.GroundingDinoConfig(
        backbone_config={**backbone, "out_features": ["stage2", "stage3", "stage4"]},
        text_config={**text, "intermediate_size": 32},
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        num_queries=30,
    )
    return seeded(transformers.GroundingDinoForObjectDetection, config), bert_tokenizer(folder)


def picture(height: int, width: int) -> np.ndarray:
    """Coloured blocks and noise: something to look at."""
    random = np.random.default_rng(3)
    blocks = random.integers(0, 256, (4, 5, 3))
    rows, columns = np.arange(height) * 4 // height, np.arange(width) * 5 // width
    noise = random.integers(-20, 21, (height, width, 3))
    return np.clip(blocks[rows][:, columns] + noise, 0, 255).astype(np.uint8)


def no_depth(rgb: np.ndarray) -> np.ndarray:
    return np.ones(rgb.shape[:2], np.float32)
