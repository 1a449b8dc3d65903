"""The learned agents' parts: rewards (eqs. 3 and 4) by hand, and gradients that stay put."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from pentathlon.core import DataError, EncoderSpec, Features
from pentathlon.events.explore.learned.belief import DONE, NO_ACTION, BeliefNetwork, BeliefSettings
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.rewards import Novelty, novelty_reward, qa_reward
from pentathlon.events.explore.protocol import ACTIONS, GRASPS

SIZES = BeliefSettings(features=6, question_dim=4, token_dim=8, belief=5, action_dim=3, hidden=7, prefix_tokens=2)


class Means:
    """An encoder of mean colours."""

    spec = EncoderSpec(dim=3, image_size=(16, 16))

    def encode(self, images: Any) -> Features:
        return Features(images.mean((1, 2)).astype(np.float32) / 255)


class Words:
    """A tokenizer of whole words, as the reader uses one."""

    def __init__(self) -> None:
        self.known = {"": 0, "</s>": 1}

    def __call__(self, texts: list[str], padding: bool, return_tensors: str) -> Any:
        from transformers import BatchEncoding

        rows = [[self.known.setdefault(word, len(self.known)) for word in text.split()] + [1] for text in texts]
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
        return BatchEncoding({"input_ids": ids, "attention_mask": (ids > 0).long()})

    def batch_decode(self, rows: Any, skip_special_tokens: bool) -> list[str]:
        names = {place: word for word, place in self.known.items()}
        return [" ".join(names.get(int(i), "?") for i in row if int(i) > 1) for row in rows]


@pytest.fixture(scope="module")
def reader() -> Reader:
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    config = T5Config(
        vocab_size=40, d_model=8, d_kv=4, d_ff=16, num_layers=1, num_heads=2, decoder_start_token_id=0, dropout_rate=0.0
    )
    return Reader(T5ForConditionalGeneration(config), Words(), beams=1)


def test_qa_reward_counts_answers_that_became_right_or_ceased_to_be() -> None:
    truths = ["yes", "no", "3", "red"]
    assert qa_reward(truths, ["no", "no", "3", "blue"], ["yes", "no", "2", "red"]) == pytest.approx((3 - 2) / 4)
    assert qa_reward(truths, truths, truths) == 0.0
    assert qa_reward(truths, truths, ["?"] * 4) == -1.0
    with pytest.raises(DataError, match="answer to each of 4"):
        qa_reward(truths, ["yes"], truths)


def test_novelty_reward_is_new_objects_and_new_floor() -> None:
    before, now = Novelty(10, 4.0), Novelty(13, 5.5)
    assert novelty_reward(before, now, objects=60, reachable_m2=30.0) == pytest.approx(3 / 60 + 1.5 / 30)
    assert novelty_reward(now, now, objects=60, reachable_m2=30.0) == 0.0
    with pytest.raises(DataError, match="objects and floor"):
        novelty_reward(before, now, objects=0, reachable_m2=30.0)


def test_novelty_of_a_whole_episode_adds_up_to_two() -> None:
    steps = [Novelty(0, 0.0), Novelty(3, 1.0), Novelty(7, 1.0), Novelty(20, 8.0)]
    total = sum(novelty_reward(a, b, 20, 8.0) for a, b in pairwise(steps))
    assert total == pytest.approx(2.0)


def test_a_belief_forgets_where_an_episode_begins() -> None:
    torch.manual_seed(1)
    network = BeliefNetwork(SIZES)
    features, questions = torch.randn(3, 2, 6), torch.zeros(3, 2, 4)
    actions = torch.full((3, 2), len(ACTIONS))
    fresh = torch.zeros(3, 2)
    fresh[2, 0] = 1.0
    thought = network(features, actions, questions, network.first_state(2), fresh)
    alone = network(features[2:], actions[2:], questions[2:], network.first_state(2), torch.zeros(1, 2))
    assert torch.allclose(thought.beliefs[2, 0], alone.beliefs[0, 0], atol=1e-6)
    assert not torch.allclose(thought.beliefs[2, 1], alone.beliefs[0, 1], atol=1e-3)
    assert thought.logits.shape == (3, 2, len(ACTIONS))
    assert network.tokens(thought.beliefs).shape == (3, 2, 2, 8)


def test_the_readers_loss_is_the_sum_over_answers_and_moves_the_prefix_alone(reader: Reader) -> None:
    prefix = torch.randn(2, 2, 8, requires_grad=True)
    questions, answers = ["is there a mug", "how many mugs"], ["yes", "two or three"]
    both = reader.loss(prefix, questions, answers)
    # Padding of the shorter question and answer must not count.
    apart = [reader.loss(prefix[i : i + 1], questions[i : i + 1], answers[i : i + 1]) for i in (0, 1)]
    assert both.item() == pytest.approx(apart[0].item() + apart[1].item(), rel=1e-4)
    both.backward()  # type: ignore[no-untyped-call]
    assert prefix.grad is not None
    assert prefix.grad.abs().sum() > 0.0
    assert all(parameter.grad is None for parameter in reader.model.parameters())
    assert len(reader.answer(prefix, questions)) == 2
    assert reader.embed(questions).shape == (8,)


def test_thinking_of_many_steps_at_once_is_thinking_of_one_after_the_other() -> None:
    torch.manual_seed(2)
    network = BeliefNetwork(SIZES)
    features, questions, calm = torch.randn(4, 1, 6), torch.randn(4, 1, 4), torch.zeros(4, 1)
    actions = torch.tensor([[NO_ACTION], [3], [0], [7]])
    together, state = network(features, actions, questions, network.first_state(1), calm), network.first_state(1)
    for i in range(4):
        part = slice(i, i + 1)
        alone = network(features[part], actions[part], questions[part], state, calm[part])
        state = alone.state
        assert torch.allclose(alone.logits[0], together.logits[i], atol=1e-6)
    assert torch.allclose(state, together.state, atol=1e-6)


def test_nothing_is_done_before_questions_are_known_and_verbs_begin_alike() -> None:
    torch.manual_seed(3)
    network = BeliefNetwork(replace(SIZES, hidden=64))
    features, actions = torch.randn(1, 2, 6), torch.full((1, 2), NO_ACTION)
    questions = torch.zeros(1, 2, 4)
    questions[0, 1] = 0.1
    shares = network(features, actions, questions, network.first_state(2), torch.zeros(1, 2)).logits.softmax(-1)[0]
    assert shares[0, DONE] == 0.0
    assert 1 / 200 < shares[1, DONE].item() < 1 / 80
    ahead = ACTIONS.index("MoveAhead")
    grasps = [ACTIONS.index(label) for label in GRASPS]
    assert shares[0, grasps].sum().item() == pytest.approx(shares[0, ahead].item(), rel=0.2)
