"""A head that answers questions from a belief vector: prefix tokens before the words of a small text model.

After EXCALIBUR (CVPR 2023), section 4: the belief becomes continuous prefix tokens by a perceptron with two hidden
layers; they stand before the question's tokens in the encoder of a text model. Here that model is small, built in, and
ends in a choice among the answers that were learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from pentathlon.learning.answering.vocabulary import LONGEST, PAD, Vocabulary


@dataclass(frozen=True, kw_only=True)
class PrefixSettings:
    """Sizes of what stands for a belief before words.

    Attributes:
        belief: entries of the belief vector.
        prefix_tokens: how many tokens the belief becomes.
    """

    belief: int = 512
    prefix_tokens: int = 3


@dataclass(frozen=True)
class HeadSettings(PrefixSettings):
    """Sizes of the head.

    Attributes:
        width: of a token.
        layers: of the encoder.
        heads: of its attention.
    """

    width: int = 128
    layers: int = 2
    heads: int = 4


class AnswerHead(nn.Module):
    """Gives the log-probabilities of all known answers to questions, by what is believed."""

    def __init__(self, vocabulary: Vocabulary, settings: HeadSettings | None = None) -> None:
        super().__init__()
        self.vocabulary, self.settings = vocabulary, settings or HeadSettings()
        width, tokens = self.settings.width, self.settings.prefix_tokens
        self.prefix = nn.Sequential(
            nn.Linear(self.settings.belief, 4 * width),
            nn.GELU(),
            nn.Linear(4 * width, 4 * width),
            nn.GELU(),
            nn.Linear(4 * width, tokens * width),
        )
        self.words = nn.Embedding(vocabulary.size, width, padding_idx=PAD)
        self.places = nn.Parameter(0.02 * torch.randn(tokens + LONGEST, width))
        layer = nn.TransformerEncoderLayer(
            width, self.settings.heads, 2 * width, dropout=0.0, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, self.settings.layers, enable_nested_tensor=False)
        self.choice = nn.Linear(width, len(vocabulary.answers))

    def forward(self, beliefs: Tensor, questions: Tensor) -> Tensor:
        """Returns log-probabilities [N, answers] for beliefs [N, belief] and encoded questions [N, LONGEST]."""
        prefix = self.prefix(beliefs).unflatten(1, (self.settings.prefix_tokens, self.settings.width))
        tokens = torch.cat([prefix, self.words(questions)], dim=1) + self.places
        no_prefix = torch.zeros(prefix.shape[:2], dtype=torch.bool, device=questions.device)
        hidden = self.encoder(tokens, src_key_padding_mask=torch.cat([no_prefix, questions == PAD], dim=1))
        scores: Tensor = self.choice(hidden[:, 0])
        return torch.log_softmax(scores, dim=-1)

    @torch.no_grad()
    def answers(self, belief: Tensor, questions: Sequence[str]) -> list[str]:
        """Returns the likeliest answer to each question, given one belief [belief]."""
        encoded = torch.from_numpy(self.vocabulary.encode(questions)).to(belief.device)
        best = self(belief.expand(len(questions), -1), encoded).argmax(dim=-1)
        return [self.vocabulary.answers[i] for i in best.tolist()]

    def freeze_text(self) -> None:
        """Leaves only the prefix to be learnt, as the paper does with its text model."""
        for module in (self.words, self.encoder, self.choice):
            module.requires_grad_(False)
        self.places.requires_grad_(False)


def answer_loss(log_chances: Tensor, truth: Tensor) -> Tensor:
    """The loss of equation 2: minus the log-probabilities of the true answers, summed over steps and questions.

    Args:
        log_chances: [N, answers], one row for each step and question.
        truth: [N], the numbers of the true answers.
    """
    return -log_chances.gather(1, truth[:, None]).sum()


def answer_reward(now: Sequence[bool], before: Sequence[bool]) -> float:
    """The reward of equation 3: by how much the share of questions that are answered rightly has grown in a step.

    Args:
        now: for each question, whether it is answered rightly after the step.
        before: the same before it.
    """
    gained = sum(map(int, now)) - sum(map(int, before))
    return gained / len(now) if now else 0.0
