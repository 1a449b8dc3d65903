"""Every node of a program, on a table of facts made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kitchen_table import THINGS, make_facts

from pentathlon.core.errors import DataError
from pentathlon.events.explore.questions.evaluate import Answer, evaluate, judge
from pentathlon.events.explore.questions.facts import (
    TOO_HEAVY,
    Fact,
    SceneFacts,
    felt_mass,
    is_heavier,
    least_force_kgf,
)
from pentathlon.events.explore.questions.program import Program, Step, checked, program_json, read_program

SCENE = Step("scene")


def chain(*steps: tuple[str, str] | str) -> Program:
    """A program in which every step takes the one before it."""
    named = [step if isinstance(step, tuple) else (step, "") for step in steps]
    return checked([SCENE, *(Step(node, (place,), word) for place, (node, word) in enumerate(named))])


def related(things: list[tuple[str, str]], relation: str, anchor: list[tuple[str, str]], last: str) -> Program:
    """A program that chooses things by how they stand to the one that ``anchor`` describes."""
    steps = [SCENE]
    for node, word in things:
        steps.append(Step(node, (len(steps) - 1,), word))
    chosen = len(steps) - 1
    steps.append(SCENE)
    for node, word in [*anchor, ("unique", "")]:
        steps.append(Step(node, (len(steps) - 1,), word))
    steps.append(Step("relate", (chosen, len(steps) - 1), relation))
    return checked([*steps, Step(last, (len(steps) - 1,))])


def compared(first: str, relation: str, second: str) -> Program:
    steps = [SCENE, Step("filter_type", (0,), first), Step("unique", (1,))]
    steps += [SCENE, Step("filter_type", (3,), second), Step("unique", (4,))]
    return checked([*steps, Step("compare", (2, 5), relation)])


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        (chain("count"), 10),
        (chain(("filter_type", "Book"), "count"), 2),
        (chain(("filter_colour", "silver"), "count"), 4),
        (chain(("filter_colour", "black and silver"), "count"), 2),
        (chain(("filter_material", "plastic"), "count"), 1),
        (chain(("filter_room", "Bedroom"), "count"), 4),
        (chain("filter_portable", ("filter_colour", "silver"), "count"), 3),
        (chain(("filter_type", "Book"), "exist"), True),
        (chain(("filter_type", "Sofa"), "exist"), False),
        (chain(("filter_type", "Knife"), "unique", "query_colour"), ("black", "silver")),
        (chain(("filter_type", "Knife"), "unique", "query_material"), ("metal", "plastic")),
        (chain(("filter_material", "plastic"), "unique", "query_type"), ("knife",)),
        (related([], "on", [("filter_type", "DiningTable")], "count"), 3),
        (related([("filter_material", "food")], "in", [("filter_type", "Fridge")], "exist"), True),
        (related([], "contains", [("filter_type", "Egg")], "count"), 1),
        (related([], "near", [("filter_type", "Cup")], "count"), 2),
        (related([("filter_colour", "silver")], "heavier", [("filter_type", "Egg")], "count"), 2),
        (related([("filter_type", "Book")], "lighter", [("filter_colour", "blue")], "count"), 1),
        (compared("Mug", "heavier", "Cup"), True),
        (compared("Mug", "lighter", "Cup"), False),
        (compared("Cup", "larger", "Mug"), True),
        (compared("Mug", "smaller", "Cup"), True),
        (compared("Knife", "longer", "Spoon"), True),
        (compared("Knife", "shorter", "Spoon"), False),
        (compared("Mug", "on", "DiningTable"), True),
    ],
)
def test_a_node_gives_its_answer(program: Program, answer: Answer) -> None:
    assert evaluate(program, make_facts()) == answer


def test_sets_are_joined_and_cut() -> None:
    steps = [SCENE, Step("filter_colour", (0,), "white"), SCENE, Step("filter_room", (2,), "Bedroom")]
    assert evaluate(checked([*steps, Step("union", (1, 3)), Step("count", (4,))]), make_facts()) == 6
    assert evaluate(checked([*steps, Step("intersect", (1, 3)), Step("count", (4,))]), make_facts()) == 0


def test_masses_are_compared_up_to_five_kilograms_and_by_intervals() -> None:
    assert evaluate(compared("Dumbbell", "heavier", "Egg"), make_facts()) is False
    assert is_heavier((5.0, 5.0), (4.9, 4.9)) is True
    assert is_heavier((0.3, 0.3), (0.3, 0.3)) is False
    assert is_heavier(felt_mass(0.30), felt_mass(0.25)) is True
    assert is_heavier(felt_mass(0.25), felt_mass(0.30)) is False
    assert is_heavier(felt_mass(0.30), felt_mass(0.30)) is None
    assert is_heavier(TOO_HEAVY, felt_mass(0.30)) is False
    assert is_heavier(felt_mass(5.0), None) is None
    assert [least_force_kgf(mass) for mass in (0.01, 0.05, 0.0501, 1.0)] == [0.05, 0.05, 0.10, 1.0]


def test_larger_needs_one_shape_and_all_its_extents() -> None:
    facts = make_facts()
    things = facts.things
    assert facts.holds(things["cup"], "larger", things["egg"]) is True
    assert facts.holds(things["blue book"], "larger", things["red book"]) is True  # flat: the thickness is left out
    assert facts.holds(things["blue book"], "larger", things["egg"]) is False
    assert facts.holds(things["knife"], "larger", things["spoon"]) is False  # long things are longer
    strict = replace(facts, strict=True)
    assert strict.holds(things["cup"], "larger", things["mug"]) is True
    assert strict.holds(things["blue book"], "larger", things["egg"]) is None
    nearly = replace(things["mug"], size_m=(0.115, 0.095, 0.105))
    assert facts.holds(things["cup"], "larger", nearly) is True
    assert strict.holds(things["cup"], "larger", nearly) is None


def test_what_people_may_call_either_way_is_unknown_to_the_strict() -> None:
    strict = make_facts(strict=True)
    assert strict.has_colour(strict.things["cup"], "silver") is None
    assert strict.has_colour(strict.things["cup"], "black and silver") is True
    assert strict.is_of_type(replace(THINGS[2], type="WineGlass"), "DrinkingGlass") is False
    assert strict.is_of_type(replace(THINGS[2], type="OfficeChair"), "Chair") is None
    assert strict.is_of_type(strict.things["mug"], "Cup") is None


def without_mass(facts: SceneFacts, *keys: str) -> SceneFacts:
    things = {key: replace(item, mass_kg=None) if key in keys else item for key, item in facts.things.items()}
    return replace(facts, things=things)


def test_unknown_values_are_named_where_the_answer_depends_on_them() -> None:
    program = related([("filter_type", "Mug")], "heavier", [("filter_type", "Cup")], "exist")
    verdict = judge(program, without_mass(make_facts(), "mug"))
    assert verdict.answer is None
    assert verdict.missing == {Fact("mug", "mass")}
    assert verdict.likely is False
    assert judge(program, without_mass(make_facts(), "egg")).answer is True


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_surely_is_in_one_set_is_surely_in_both_joined(order: tuple[int, int]) -> None:
    facts = make_facts()
    things = {key: replace(item, colours=None) if key == "mug" else item for key, item in facts.things.items()}
    sets = [("filter_colour", "green"), ("filter_type", "Mug")]
    (first, one), (second, other) = (sets[place] for place in order)
    steps = [SCENE, Step(first, (0,), one), SCENE, Step(second, (2,), other)]
    verdict = judge(checked([*steps, Step("union", (1, 3)), Step("exist", (4,))]), replace(facts, things=things))
    assert verdict.answer is True


def test_an_answer_that_holds_either_way_is_given() -> None:
    program = related([("filter_type", "Book")], "heavier", [("filter_type", "Cup")], "exist")
    assert judge(program, without_mass(make_facts(), "red book")).answer is True


def test_a_container_that_was_not_opened_may_hold_more() -> None:
    facts = make_facts(unopened=frozenset({"fridge"}))
    program = related([], "in", [("filter_type", "Fridge")], "count")
    verdict = judge(program, facts)
    assert verdict.answer is None
    assert Fact("fridge", "inside") in verdict.missing
    assert judge(related([("filter_type", "Egg")], "in", [("filter_type", "Fridge")], "exist"), facts).answer is True
    assert judge(related([("filter_type", "Mug")], "in", [("filter_type", "Fridge")], "exist"), facts).answer is None


def test_a_description_of_several_things_or_none_decides_nothing() -> None:
    several = chain(("filter_type", "Book"), "unique", "query_colour")
    assert judge(several, make_facts()).answer is None
    none = judge(chain(("filter_type", "Sofa"), "unique", "query_colour"), make_facts())
    assert {fact.about for fact in none.missing} == {"found"}
    with pytest.raises(DataError, match="facts that decide"):
        evaluate(several, make_facts())


def test_facts_that_were_used_are_told() -> None:
    verdict = judge(related([("filter_type", "Mug")], "heavier", [("filter_type", "Cup")], "exist"), make_facts())
    assert {Fact("mug", "mass"), Fact("cup", "mass")} <= verdict.used
    assert Fact("egg", "mass") not in verdict.used


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ([Step("scene"), Step("filter_smell", (0,), "bad")], "Step 1 of a program: Unknown node 'filter_smell'"),
        ([Step("scene"), Step("exist", (1,))], "earlier steps"),
        ([Step("scene"), Step("query_type", (0,))], "expected inputs"),
        ([Step("scene"), Step("filter_type", (0,))], "expected a word"),
        ([Step("scene")], "end in an answer"),
        ([], "1 to 40 steps"),
        ([Step("scene"), Step("unique", (0,)), Step("relate", (0, 1), "behind"), Step("exist", (2,))], "relation"),
    ],
)
def test_malformed_programs_are_refused_by_name(steps: list[Step], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        checked(steps)


def test_programs_survive_json() -> None:
    program = related([("filter_colour", "silver")], "heavier", [("filter_type", "Egg")], "count")
    assert read_program(program_json(program)) == program
    with pytest.raises(DataError, match="JSON list of nodes"):
        read_program("{}")
