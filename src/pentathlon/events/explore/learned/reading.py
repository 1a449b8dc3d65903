"""Trains the built-in reader: a small T5 that answers questions after facts, or after nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from pentathlon.core.making import Pool
from pentathlon.events.explore.learned.corpus import BARE_SHARE, Asked, Lesson, drawn_text, make_lessons
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.settings import ReaderSettings
from pentathlon.events.explore.learned.words import known_words, make_tokenizer
from pentathlon.learning.descent import decaying_matrices, descend
from pentathlon.learning.timed import Clock

WARMUP_STEPS, TOLD_EVERY = 50, 25
LARGEST_GRADIENT, BETA2 = 1.0, 0.98
MOST_WEIGHT = 101
"""Numbers up to it are words, whether lessons have them or not."""


class Example(NamedTuple):
    """A question and its house's sentences about things."""

    asked: Asked
    things: tuple[str, ...]


def train_reader(settings: ReaderSettings, pool: Pool, say: Callable[[str], None]) -> Path:
    """Trains on lessons, of which the last houses' are for measuring; writes the model's folder and its curve."""
    lessons = make_lessons(settings.lessons, range(settings.houses), settings.questions, pool)
    clock = Clock(settings, WARMUP_STEPS)
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    learnt, kept = examples(lessons[: -settings.tested_houses]), examples(lessons[-settings.tested_houses :])
    tokenizer = make_tokenizer(_words(lessons))
    reader = Reader(small_t5(settings, tokenizer), tokenizer, beams=1)
    settings.to.mkdir(parents=True, exist_ok=True)
    with (settings.to / "curve.jsonl").open("w", encoding="utf-8") as curve:
        losses = list[float]()
        for step, loss in enumerate(_descent(settings, clock, reader, learnt, rng)):
            losses.append(loss)
            if step % TOLD_EVERY == 0:
                row = {"step": step, "seconds": round(clock.spent_s), "loss": round(float(np.mean(losses)), 4)}
                losses.clear()
                say(json.dumps(row))
                print(json.dumps(row), file=curve, flush=True)
        row = {"step": step + 1, "seconds": round(clock.spent_s), **measured(reader, kept)}
        say(json.dumps(row))
        print(json.dumps(row), file=curve)
    reader.save(settings.to)
    return settings.to


def small_t5(settings: ReaderSettings, tokenizer: Any) -> Any:
    """Makes the untrained network."""
    from transformers import T5Config, T5ForConditionalGeneration

    make: Any = T5Config
    config = make(
        vocab_size=len(tokenizer),
        d_model=settings.width,
        d_kv=settings.width // settings.heads,
        d_ff=2 * settings.width,
        num_layers=settings.layers,
        num_heads=settings.heads,
        dropout_rate=0.0,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    return T5ForConditionalGeneration(config)


def examples(lessons: Sequence[Lesson]) -> list[Example]:
    """Returns all questions of lessons."""
    return [Example(asked, lesson.things) for lesson in lessons for asked in lesson.asked]


def measured(reader: Reader, kept: Sequence[Example]) -> dict[str, float]:
    """Counts right answers to questions of houses that were not learnt, after facts and after nothing."""
    rng, found = np.random.default_rng(0), dict[str, float]()
    for name, bare in (("right_after_facts", False), ("right_alone", True)):
        right = 0
        for start in range(0, len(kept), 64):
            part = kept[start : start + 64]
            texts = [drawn_text(one.asked, one.things, rng, bare=bare) for one in part]
            answers = reader.answer(torch.zeros(len(part), 0, reader.token_dim), texts)
            right += sum(one.asked.answer.lower() == answer for one, answer in zip(part, answers, strict=True))
        found[name] = round(right / max(1, len(kept)), 4)
    return found


def _descent(
    settings: ReaderSettings, clock: Clock, reader: Reader, learnt: Sequence[Example], rng: np.random.Generator
) -> Iterator[float]:
    """Yields the mean loss of an answer at each step."""
    model = reader.model.train().requires_grad_(True)
    optimizer = decaying_matrices(model, settings.weight_decay, BETA2)
    clock.start_steps()
    step = 0
    while (done := clock.progress(step)) < 1.0:
        drawn = [learnt[int(place)] for place in rng.integers(len(learnt), size=settings.batch_size)]
        bare = bool(rng.random() < BARE_SHARE)
        texts = [drawn_text(one.asked, one.things, rng, bare=bare) for one in drawn]
        nothing = torch.zeros(len(drawn), 0, reader.token_dim)
        loss = reader.loss(nothing, texts, [one.asked.answer for one in drawn]) / len(drawn)
        for group in optimizer.param_groups:
            group["lr"] = clock.rate(step, done)
        descend(optimizer, loss, LARGEST_GRADIENT)
        yield float(loss.detach())
        step += 1
    model.eval().requires_grad_(False)


def _words(lessons: Sequence[Lesson]) -> list[str]:
    texts = [text for lesson in lessons for one in lesson.asked for text in (one.text, one.answer, *one.facts)]
    things = [thing for lesson in lessons for thing in lesson.things]
    return known_words([*texts, *things, *map(str, range(MOST_WEIGHT))])
