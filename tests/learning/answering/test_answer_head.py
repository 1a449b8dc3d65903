"""The head that answers from a belief: it learns to read the belief, pads do nothing, and equations 2 and 3."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from pentathlon.core.errors import UnknownIdError
from pentathlon.learning.answering.head import AnswerHead, HeadSettings, answer_loss, answer_reward
from pentathlon.learning.answering.vocabulary import LONGEST, PAD, UNKNOWN, Vocabulary

QUESTIONS = ("Is there a mug?", "Is there a pan?")
VOCABULARY = Vocabulary.of(QUESTIONS, ["yes", "no", "3"])
SMALL = HeadSettings(belief=4, prefix_tokens=2, width=16, layers=1, heads=2)


def make_head() -> AnswerHead:
    torch.manual_seed(0)
    return AnswerHead(VOCABULARY, SMALL)


def test_words_become_numbers() -> None:
    rows = VOCABULARY.encode(["Is there a pan, or a sofa?", "mug " * 100])
    assert rows.shape == (2, LONGEST)
    assert VOCABULARY.words == ("a", "is", "mug", "pan", "there")
    np.testing.assert_array_equal(rows[0, :8], [3, 6, 2, 5, UNKNOWN, 2, UNKNOWN, PAD])
    assert (rows[1] == 4).all()
    assert VOCABULARY.place("no") == 1
    with pytest.raises(UnknownIdError, match="answer"):
        VOCABULARY.place("maybe")


def test_the_head_learns_which_part_of_the_belief_a_question_is_about() -> None:
    head = make_head()
    optimizer = torch.optim.Adam(head.parameters(), lr=3e-3)
    generator = torch.Generator().manual_seed(0)
    asked = torch.from_numpy(VOCABULARY.encode(QUESTIONS))
    for _ in range(150):
        beliefs = torch.randn(32, 4, generator=generator)
        which = torch.randint(2, (32,), generator=generator)
        holds = beliefs[torch.arange(32), which] > 0
        truth = torch.where(holds, VOCABULARY.place("yes"), VOCABULARY.place("no"))
        loss = answer_loss(head(beliefs, asked[which]), truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert head.answers(torch.tensor([2.0, -2.0, 0.0, 0.0]), QUESTIONS) == ["yes", "no"]
    assert head.answers(torch.tensor([-2.0, 2.0, 0.0, 0.0]), QUESTIONS) == ["no", "yes"]


def test_a_frozen_text_model_learns_by_its_prefix_alone() -> None:
    head = make_head()
    head.freeze_text()
    learnt = {name.split(".")[0] for name, weight in head.named_parameters() if weight.requires_grad}
    assert learnt == {"prefix"}


def test_the_loss_is_the_sum_of_equation_2() -> None:
    log_chances = torch.log(torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]]))
    loss = answer_loss(log_chances, torch.tensor([1, 1]))
    assert loss.item() == pytest.approx(-math.log(0.25) - math.log(0.8))


def test_the_reward_is_that_of_equation_3() -> None:
    assert answer_reward([True, True, False, False], [True, False, False, False]) == 0.25
    assert answer_reward([False, True], [True, False]) == 0.0
    assert answer_reward([False, False], [True, True]) == -1.0
    assert answer_reward([], []) == 0.0
