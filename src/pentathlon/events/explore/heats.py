"""Runs a heat of explore: one house, which is made, surveyed and asked about here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pentathlon.core import DataError, EntrantError, Heat, Outcome, Workspace
from pentathlon.core.entrants import AnsweringAgent
from pentathlon.events.explore.pictures.page import save_page
from pentathlon.events.explore.protocol import ARCHITECT_PREFIX, ExploreProtocol, seed_of_house, trial_seed
from pentathlon.events.explore.questions.drawing.fairness import Learner
from pentathlon.events.explore.questions.drawing.kept_questions import STORE
from pentathlon.events.explore.questions.generate import questions_about
from pentathlon.events.explore.questions.question import Question, read_house_questions
from pentathlon.events.explore.questions.survey import Survey, survey
from pentathlon.events.explore.trial import run_trial
from pentathlon.events.explore.world import ExploreWorld
from pentathlon.worlds.houses.architect import architect_house
from pentathlon.worlds.houses.bodies.scope import Scope
from pentathlon.worlds.houses.house import House


def run_heat(
    protocol: ExploreProtocol, questions_file: str, heat: Heat, agent: Any, workspace: Workspace
) -> Iterator[Outcome]:
    """Runs the heat's one trial."""
    if not isinstance(agent, AnsweringAgent):
        raise EntrantError(f"Expected an agent with brief() and answer(), got {type(agent).__name__} without.")
    for trial in heat.trials:
        house = find_house(protocol, trial)
        surveyed = survey(house)
        with closing(ExploreWorld(house, protocol, surveyed.facts)) as world:
            learner = Scope(world.agent, world.ways, surveyed.inside)
            questions = find_questions(protocol, questions_file, house, surveyed, learner)
            outcome = run_trial(world, questions, agent, trial_seed(trial), trial)
        artifacts = save_page(outcome, house, workspace) if workspace.videos else {}
        yield replace(outcome, artifacts=artifacts, details={**outcome.details, **_told_of_itself(agent)})


def find_house(protocol: ExploreProtocol, name: str) -> House:
    """Makes or reads a house of the benchmark by its name."""
    if protocol.suite == "architect":
        return architect_house(name.removeprefix(ARCHITECT_PREFIX))
    return House.generate(seed_of_house(name))


def find_questions(
    protocol: ExploreProtocol, questions_file: str, house: House, surveyed: Survey, learner: Learner
) -> Sequence[Question]:
    """Returns what is asked about a house: the generated questions, or those of a file.

    Raises:
        DataError: when the file has none for the house, or malformed ones; what is wrong is named.
    """
    if not questions_file:
        seed = trial_seed(house.name)
        name, count = house.name, protocol.questions
        make = partial(questions_about, surveyed, name, seed, count, "test", learner=learner)
        return STORE.open(house, seed, count, make)
    try:
        data = Path(questions_file).read_bytes()
    except OSError as error:
        raise DataError(f"Expected a question file at {questions_file}, got {error.strerror}.") from None
    found = read_house_questions(data, house.name, Path(questions_file).name)
    if not found:
        raise DataError(f"Expected questions about {house.name} in {Path(questions_file).name}, got none.")
    return found[: protocol.questions]


def _told_of_itself(agent: AnsweringAgent) -> dict[str, Any]:
    """What an agent lets the record know: which weights it is, and notes of the trial."""
    fingerprint, notes = getattr(agent, "fingerprint", None), getattr(agent, "notes", None)
    known: dict[str, Any] = {"agent": fingerprint} if isinstance(fingerprint, str) else {}
    return {**known, "notes": dict(notes)} if isinstance(notes, Mapping) else known
