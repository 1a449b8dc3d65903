"""OWL-ViT and OWLv2: detectors that score a box at each patch against a sentence (Minderer et al. 2022, 2023)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor
from torch.nn import functional as F

from pentathlon.models.encoders.preprocess import CLIP_MEAN, CLIP_STD
from pentathlon.models.localizers.boxes import paint_boxes
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.detector import Detector
from pentathlon.models.localizers.preparing import normalised, padded_shares, resized_shares
from pentathlon.models.localizers.prompts import PHOTO, clean_sentence, require_described

CLASSES = {"owlvit": "OwlViTForObjectDetection", "owlv2": "Owlv2ForObjectDetection"}


class Owl(Detector):
    """Gives each pixel the highest probability of the boxes around it."""

    _query: Tensor | None = None

    def _read_sizes(self, config: Any) -> None:
        self._size = int(config.vision_config.image_size)
        self._longest = int(config.text_config.max_position_embeddings)
        self._padded = config.model_type == "owlv2"
        self._towers = getattr(self._network, config.model_type)

    @torch.inference_mode()
    def describe(self, sentence: str, category: str) -> None:
        """Embeds one prompt, "a photo of a ..."; what the tokenizer cuts off is not read."""
        words = self._tokenizer(
            [PHOTO[0].format(clean_sentence(sentence))],
            padding="max_length",
            truncation=True,
            max_length=self._longest,
            return_tensors="pt",
        ).to(self._device)
        features = self._towers.get_text_features(words["input_ids"], words["attention_mask"])
        vector = features if isinstance(features, Tensor) else features.pooler_output
        self._query = F.normalize(vector, dim=-1)[None]

    @torch.inference_mode()
    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Scores all boxes and paints them, the best on top."""
        query = require_described(self._query)
        feature_map = self._network.image_embedder(self._prepare(rgb))[0]
        patches = feature_map.flatten(1, 2)
        logits = self._network.class_predictor(patches, query)[0][0, :, 0]
        boxes = self._network.box_predictor(patches, feature_map)[0].cpu().numpy()
        if self._padded:  # its boxes are shares of the padded square
            boxes *= np.tile(max(rgb.shape[:2]) / np.array(rgb.shape[1::-1], np.float32), 2)
        return self._thresholds.relevance(paint_boxes(boxes, logits.sigmoid().cpu().numpy(), rgb.shape[:2]))

    def _prepare(self, rgb: Picture) -> Tensor:
        shares = (
            padded_shares(rgb, self._size)
            if self._padded
            else resized_shares(rgb, (self._size, self._size), Image.Resampling.BICUBIC)
        )
        return normalised(shares, CLIP_MEAN, CLIP_STD).to(self._device)
