"""Trials of explore: four phases, what records tell of them, and agents that misbehave in one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core import Briefing, EntrantError, Outcome, UsageError, Workspace
from pentathlon.core.entrants import kind_of
from pentathlon.core.specs import ChoiceSpec, InteractionSpec, compare_specs
from pentathlon.events.explore.baselines import Homebody, LanguageAgent, RandomAgent
from pentathlon.events.explore.protocol import ACTIONS, GRASPS, any_size, house_names, make_protocol
from pentathlon.events.explore.tasks import ExploreTask, make_task
from pentathlon.events.explore.trial import checked_action, curve
from pentathlon.events.explore.world import ExploreWorld

STUDIO = "architect-studio"


def studio(**budget: int) -> ExploreTask:
    protocol = make_protocol("architect", "sprint", **budget)  # type: ignore[arg-type]
    return ExploreTask(replace(protocol, size_px=32, questions=4), (STUDIO,))


def run(task: ExploreTask, agent: Any, folder: Path, *, videos: bool = False) -> Outcome:
    (outcome,) = task.run(task.heats()[0], agent, Workspace(folder, videos))
    return outcome


class Scripted(Homebody):
    """Does what it is told to, answers always the same, and keeps what it was told."""

    spec = InteractionSpec(any_size("acted"), ChoiceSpec(ACTIONS), answers=True)

    def __init__(self, first: tuple[Any, ...], second: tuple[Any, ...] = (), says: Any = "yes") -> None:
        self._scripts, self._says = [iter(first), iter(second)], says
        self.briefings: list[Briefing] = []

    def reset(self, briefing: Briefing) -> None:
        self.briefings = [briefing]

    def brief(self, briefing: Briefing) -> None:
        self.briefings.append(briefing)

    def act(self, observation: Any) -> Any:
        return next(self._scripts[len(self.briefings) - 1], "Done")

    def answer(self, question: str) -> Any:
        return self._says


def test_four_phases_and_what_the_record_tells(tmp_path: Path) -> None:
    agent = Scripted(("RotateLeft", "LookDown", "RotateLeft"), ("RotateRight",))
    outcome = run(studio(), agent, tmp_path, videos=True)
    first, second = agent.briefings
    assert (first.facts["phase"], second.facts["phase"]) == (1, 3)
    assert "questions" not in first.facts
    assert len(second.facts["questions"]) == 4
    assert second.facts["answers"] == ["yes"] * 4
    assert outcome.metrics["t3_steps"] == 1.0
    explore = outcome.details["phases"]["explore"]
    assert (explore["steps"], explore["ended"]) == (3, "Done")
    assert explore["actions"] == {"RotateLeft": 2, "LookDown": 1}
    assert explore["seen"]
    assert 0.0 < explore["coverage"][-1][1] < 1.0
    assert outcome.metrics["acc_exp"] == outcome.metrics["acc_ref"] == outcome.metrics["exqa"]
    page = (tmp_path / outcome.artifacts["page"]).read_text()
    assert all(str(question["truth"]) in page for question in outcome.details["questions"])
    assert (tmp_path / outcome.artifacts["plan"]).stat().st_size > 1000


def test_no_picture_is_made_for_who_looks_at_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExploreWorld, "look", lambda world: pytest.fail("a picture was made"))
    assert run(studio(), RandomAgent(), tmp_path).metrics["objects_seen"] == 0.0


def test_an_agent_that_never_says_done_is_stopped(tmp_path: Path) -> None:
    turning = ("RotateLeft",) * 50
    outcome = run(studio(steps=5, reentry_steps=7), Scripted(turning, turning), tmp_path)
    phases = outcome.details["phases"]
    assert [(phases[name]["steps"], phases[name]["ended"]) for name in ("explore", "return")] == [
        (5, "cap"),
        (7, "cap"),
    ]
    assert outcome.metrics["t3_steps"] == 7.0


@pytest.mark.parametrize(
    ("says", "words"),
    [(3, "as text"), (None, "as text"), ("", "empty"), ("   ", "empty"), ("yes " * 100, "at most 200 characters")],
)
def test_bad_answers_are_the_trials_error_and_name_the_question(tmp_path: Path, says: Any, words: str) -> None:
    with pytest.raises(EntrantError, match=f"Question q.*{words}"):
        run(studio(), Scripted((), says=says), tmp_path)


def test_unknown_words_are_wrong_and_no_error(tmp_path: Path) -> None:
    outcome = run(studio(), Scripted((), says="flurble of the zorgs"), tmp_path)
    assert outcome.metrics["acc_exp"] == 0.0


def test_a_question_file_with_an_unknown_node_names_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    question = (
        '{"id":"q1","family":"exist","text":"Is there?","program":[{"node":"levitate"}],"answer":true,'
        '"kind":"yes-no","needs":[],"needs_touch":false}'
    )
    path.write_text(f'{{"format":"pentathlon-questions","houses":{{"{STUDIO}":[{question}]}}}}')
    task = make_task("architect", "sprint", questions_file=str(path))
    assert task.protocol.questions_digest
    with pytest.raises(Exception, match="levitate"):
        list(task.run(task.heats()[0].only((STUDIO,)), Scripted(()), Workspace(tmp_path)))


def test_actions_are_labels_or_places() -> None:
    assert checked_action("Grasp 0.25", 0) == "Grasp 0.25"
    assert checked_action(ACTIONS.index("Done"), 0) == "Done"
    assert (GRASPS[0], GRASPS[-1], len(ACTIONS)) == ("Grasp 0.05", "Grasp 5.00", 130)
    for bad in ("Jump", "Grasp 0.07", "Grasp", True, -1, 130, None):
        with pytest.raises(EntrantError, match="at step 3"):
            checked_action(bad, 3)


def test_tiers_and_budgets() -> None:
    assert len(house_names("generated", "full")) == 1000
    assert len(set(house_names("generated", "lite"))) == 20
    assert len(house_names("architect", "full")) == 9
    assert len(house_names("architect", "lite")) == 3
    assert make_protocol("generated", "full").steps == 2500
    assert make_protocol("generated", "sprint").questions == 10
    with pytest.raises(UsageError, match="at least one step"):
        make_protocol("generated", "full", steps=0)
    with pytest.raises(UsageError, match="at least one pixel"):
        make_protocol("generated", "full", size_px=0)
    assert make_task("generated", "full", size_px=64).spec.observations[0].shape == (64, 64, 3)
    assert make_protocol("generated", "full", size_px=64) != make_protocol("generated", "full")


def test_generated_trials_are_recorded_under_the_cluster_that_their_heat_tells(tmp_path: Path) -> None:
    task = make_task("generated", "sprint", rehearse=True)
    heat = task.heats()[0]
    (outcome,) = task.run(heat, Scripted(()), Workspace(tmp_path, videos=False))
    assert heat.stamped(outcome) == outcome


def test_curves_keep_their_ends() -> None:
    thinned = curve([step / 1000 for step in range(1000)])
    assert (len(thinned), thinned[0], thinned[-1]) == (50, [1, 0.0], [1000, 0.999])
    assert curve([]) == []


@pytest.mark.parametrize("make", [RandomAgent, LanguageAgent])
def test_homebodies_keep_the_contract_and_answer_alike_both_times(make: Any, tmp_path: Path) -> None:
    agent = make()
    assert kind_of(agent) == "agent"
    compare_specs(make_protocol("generated", "full").spec, agent.spec)
    outcome = run(studio(), agent, tmp_path)
    assert all(first == second for first, second in (question["answers"] for question in outcome.details["questions"]))
    assert outcome.metrics["t3_steps"] == 0.0
