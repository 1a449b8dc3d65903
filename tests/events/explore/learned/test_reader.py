"""The reader: its words, the facts that it learns to read, what is written and read again, and bad folders."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch

from pentathlon.core import DataError
from pentathlon.events.explore.learned.corpus import Asked, Lesson, bearing_on, drawn_text, sentence_of
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.reading import train_reader
from pentathlon.events.explore.learned.settings import ReaderSettings
from pentathlon.events.explore.learned.words import known_words, make_tokenizer
from pentathlon.events.explore.questions.facts import Fact, SceneFacts, Thing
from pentathlon.storage.making import SERIAL

MUG = Thing("m", "Mug", frozenset({"red"}), frozenset({"metal"}), "r", (0.31, 0.31), (0.08, 0.1, 0.12), None, True)
TABLE = Thing("t", "DiningTable", frozenset({"brown"}), frozenset({"wood"}), "r", (30.0, 30.0), (1.2, 0.8, 0.7))
FACTS = SceneFacts({"m": MUG, "t": TABLE}, {"r": "Kitchen"})


def test_words_are_whole_in_lower_case_and_texts_end() -> None:
    tokenizer = make_tokenizer(known_words(["Rubik's cube 12?"]))
    ids = tokenizer(["Is the RUBIK'S cube, 12?"]).input_ids[0]
    assert tokenizer.convert_ids_to_tokens(ids) == ["<unk>", "<unk>", "rubik's", "cube", "<unk>", "12", "?", "</s>"]
    assert tokenizer.decode(ids, skip_special_tokens=True).split()[:2] == ["rubik's", "cube"]


def test_sentences_tell_looks_room_weight_in_force_steps_and_size_in_centimetres() -> None:
    assert sentence_of(MUG, FACTS) == "red metal mug in the kitchen weight 7 size 12"
    assert sentence_of(TABLE, FACTS) == "brown wooden dining table in the kitchen size 120"


def test_facts_that_bear_on_an_answer_come_first() -> None:
    needs = frozenset({Fact("m", "on", "t"), Fact("m", "colour")})
    assert bearing_on(needs, FACTS) == ("mug on dining table", sentence_of(MUG, FACTS), sentence_of(TABLE, FACTS))


def test_a_question_stands_last_after_facts_or_alone() -> None:
    asked, rng = Asked("Is it?", "yes", ("a on b",)), np.random.default_rng(0)
    assert drawn_text(asked, ("c", "d"), rng, bare=True) == "Is it?"
    told = drawn_text(asked, ("c", "d"), rng, bare=False)
    assert told.endswith(" . Is it?")
    assert sorted(told.split(" . ")[:-1]) == ["a on b", "c", "d"]


def test_what_is_saved_is_read_again_exactly(small_reader: Reader, tmp_path: Path) -> None:
    small_reader.save(tmp_path)
    again = Reader.open(str(tmp_path))
    assert again.fingerprint == small_reader.fingerprint
    prefix, asked = torch.randn(2, 3, 8), ["is there a mug", "is there a red metal kitchen?"]
    assert torch.equal(again.loss(prefix, asked, ["yes", "no"]), small_reader.loss(prefix, asked, ["yes", "no"]))
    assert again.embed(asked).shape == (8,)
    assert not list(tmp_path.glob("*.bin"))


def test_folders_without_a_reader_are_named(small_reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"config\.json"):
        Reader.open(str(tmp_path))
    small_reader.save(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"torn")
    with pytest.raises(DataError, match="Expected weights in"):
        Reader.open(str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(DataError, match="'bert' model"):
        Reader.open(str(tmp_path))


def test_a_little_training_learns_what_is_always_so(tmp_path: Path) -> None:
    lessons = tmp_path / "lessons"
    lessons.mkdir()
    asked = tuple(Asked(f"Is the mug {word}?", answer, ()) for word, answer in (("red", "yes"), ("blue", "no")))
    for place in range(3):
        (lessons / f"lesson-{place}.json").write_bytes(
            msgspec.json.encode(Lesson(things=("red mug in the kitchen",), asked=asked))
        )
    settings = ReaderSettings(
        to=tmp_path / "reader",
        lessons=lessons,
        houses=3,
        tested_houses=1,
        width=16,
        steps=200,
        batch_size=8,
        peak_lr=0.01,
    )
    folder = train_reader(settings, SERIAL, lambda line: None)
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    assert rows[0]["loss"] > rows[1]["loss"]
    assert rows[-1]["right_alone"] == 1.0
    alone = torch.zeros(1, 0, 16)
    assert Reader.open(str(folder)).answer(alone, ["Is the mug blue?"]) == ["no"]
