from __future__ import annotations

import numpy as np
import pytest

from pentathlon.learning.detectors.attributes import Attributes, ObjectFacts, padded
from pentathlon.learning.detectors.corpus import house_attributes
from pentathlon.learning.detectors.sentences import plain_sentence, random_sentence
from pentathlon.learning.detectors.vocabulary import GROUPS, KEPT, SAID, UNCOMMON

MUG = ObjectFacts(
    type="Mug",
    colours=("red", "white"),
    materials=("ceramic",),
    states=("clean", "filled"),
    diagonal_m=0.15,
    room="Kitchen",
    relations={"on": ("Desk",), "in": (), "under": (), "near": ("Sofa", "Pen", "Tricycle")},
)


@pytest.fixture(scope="module")
def attributes() -> Attributes:
    return house_attributes()


def numbers(attributes: Attributes, *names: str) -> list[int]:
    return [attributes.number[name] for name in names]


def test_bits_say_all_that_is_true_and_can_be_said(attributes: Attributes) -> None:
    said = {attributes.names[number] for number in np.flatnonzero(attributes.row(MUG))}
    assert said == {
        "always:", "type:Mug", "group:vessel to drink from", "colour:red", "colour:white", "material:ceramic",
        "size:small", "state:filled", "room:Kitchen", "on:Desk", "near:Sofa",
    }  # fmt: skip


def test_plain_sentences_read_as_events_say_them(attributes: Attributes) -> None:
    parts = numbers(attributes, "type:Mug", "colour:red", "size:small", "material:ceramic", "on:Desk")
    assert plain_sentence(attributes, parts) == "small red ceramic mug on the desk"
    assert plain_sentence(attributes, numbers(attributes, "type:Fridge", "state:open")) == "open fridge"
    assert plain_sentence(attributes, numbers(attributes, "colour:red")) == "red thing"
    parts = numbers(attributes, "type:Mug", "colour:red", "colour:white")
    assert plain_sentence(attributes, parts) == "red and white mug"
    parts = numbers(attributes, "type:Mug", "near:Sofa", "near:Desk", "room:Kitchen")
    assert plain_sentence(attributes, parts) == "mug near the sofa, the desk in the kitchen"


def test_random_sentences_say_the_words_and_never_a_kept_name(attributes: Attributes) -> None:
    rng = np.random.default_rng(0)
    kept = {word for words in KEPT.values() for word in words}
    parts = numbers(attributes, "type:Sofa", "colour:teal")
    said = [random_sentence(attributes, parts, rng) for _ in range(300)]
    assert all("teal" in sentence for sentence in said)
    assert len(set(said)) > 20
    assert not any(word in sentence for sentence in said for word in kept & {"couch"})
    assert all(any(name in sentence for name in ("sofa", "settee")) for sentence in said)


def test_the_tables_name_real_types_and_no_name_is_both_said_and_kept(attributes: Attributes) -> None:
    named = {*SAID, *KEPT, *UNCOMMON, *(member for members in GROUPS.values() for member in members)}
    assert named <= set(attributes.types)
    said = {word for words in SAID.values() for word in words} | {kind.noun for kind in attributes.types.values()}
    assert not said & {word for words in KEPT.values() for word in words}
    assert not {*UNCOMMON} & {*SAID, *KEPT}


def test_queries_are_filled_up_with_what_always_holds() -> None:
    assert padded([[7, 3], [1, 2, 3, 4, 5, 6]]).tolist() == [[7, 3, 0, 0, 0], [1, 2, 3, 4, 5]]
