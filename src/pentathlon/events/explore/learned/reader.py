"""The frozen text-to-text model that answers: a question after prefix tokens that stand for a belief."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from pentathlon.models.pretrained_folder import find_folder, load_network, load_tokenizer
from pentathlon.models.weights import BUILTIN_FOLDER, weights_hash

MOST_ANSWER_TOKENS = 12
BUILTIN, CLASS = "builtin", "T5ForConditionalGeneration"


class Reader:
    """A T5, frozen: gradients flow through it into the prefix tokens, and nowhere else (Tsimpoukelli et al. 2021)."""

    def __init__(self, model: Any, tokenizer: Any, beams: int = 3) -> None:
        self.model, self._tokenizer, self._beams = model, tokenizer, beams
        self.model.eval()
        for parameter in self.model.parameters():
            parameter.requires_grad_(False)

    @staticmethod
    def open(weights: str = BUILTIN, device: str = "cpu") -> Reader:
        """Opens the small one that comes with this version, or a T5 by its folder or hub id.

        Raises:
            DataError: when the folder holds no T5, or not all of one.
        """
        name = str(BUILTIN_FOLDER / "explore-reader") if weights == BUILTIN else weights
        folder = find_folder(name, {"t5": CLASS}).path
        return Reader(load_network(folder, CLASS).to(device), load_tokenizer(folder))

    @property
    def token_dim(self) -> int:
        """Length of a token."""
        return int(self.model.config.d_model)

    @property
    def fingerprint(self) -> str:
        """Hash of its weights."""
        return weights_hash(self.model.state_dict())

    def save(self, folder: Path) -> None:
        """Writes the model with 16 bits for each weight, and its words; :meth:`open` reads them."""
        self.model.half().save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)
        self.model.float()

    def loss(self, prefix: Tensor, questions: Sequence[str], answers: Sequence[str]) -> Tensor:
        """Eq. 2: the sum of the negative log-likelihoods of the answers; ``prefix[B, K, D]``, one row each."""
        inputs, mask = self._inputs(prefix, questions)
        labels = self._tokens(answers)
        targets = labels["input_ids"].masked_fill(labels["attention_mask"] == 0, -100)
        logits = self.model(inputs_embeds=inputs, attention_mask=mask, labels=targets).logits
        return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100, reduction="sum")

    @torch.no_grad()
    def answer(self, prefix: Tensor, questions: Sequence[str]) -> list[str]:
        """Returns the answers that beam search finds."""
        inputs, mask = self._inputs(prefix, questions)
        found = self.model.generate(
            inputs_embeds=inputs, attention_mask=mask, num_beams=self._beams, max_new_tokens=MOST_ANSWER_TOKENS
        )
        answers: list[str] = self._tokenizer.batch_decode(found, skip_special_tokens=True)
        return answers

    @torch.no_grad()
    def embed(self, questions: Sequence[str]) -> Tensor:
        """The mean of the encoder's states over all questions ``[D]``: what phase III is conditioned on."""
        words = self._tokens(questions)
        states = self.model.encoder(**words).last_hidden_state
        weights = words["attention_mask"][..., None].to(states.dtype)
        mean: Tensor = (states * weights).sum((0, 1)) / weights.sum()
        return mean

    def _inputs(self, prefix: Tensor, questions: Sequence[str]) -> tuple[Tensor, Tensor]:
        words = self._tokens(questions)
        embedded = self.model.get_input_embeddings()(words["input_ids"])
        shown = torch.ones(prefix.shape[:2], dtype=torch.long, device=prefix.device)
        return torch.cat([prefix, embedded], dim=1), torch.cat([shown, words["attention_mask"]], dim=1)

    def _tokens(self, texts: Sequence[str]) -> Any:
        words = self._tokenizer(list(texts), padding=True, return_tensors="pt")
        return {name: words[name].to(self.model.device) for name in ("input_ids", "attention_mask")}
