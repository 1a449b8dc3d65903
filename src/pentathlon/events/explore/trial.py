"""Runs one trial of explore: walk, answer, return knowing the questions, and answer again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pentathlon.core import Briefing, EntrantError, Outcome
from pentathlon.core.entrants import AnsweringAgent
from pentathlon.events.explore.metrics import accuracy, exqa
from pentathlon.events.explore.protocol import ACTIONS, FORCE_STEP_KGF, PRIVILEGED, ExploreProtocol
from pentathlon.events.explore.questions.program import program_json
from pentathlon.events.explore.questions.question import Question, answer_text
from pentathlon.events.explore.questions.scoring import checked_answer, is_right
from pentathlon.events.explore.world import Diary, ExploreWorld, Start

EXPLORE = (
    "Explore this house: walk, look, open what is closed, lift what you can. Afterwards you are asked about its "
    "things: where they are, their colours, materials, sizes and weights."
)
RETURN = (
    "You are back in the house, which is as it was at first. These questions are asked again when you say Done; "
    "the sooner, the better."
)
CURVE_POINTS = 50
"""So many values of a curve over time are kept in a record."""


def run_trial(
    world: ExploreWorld, questions: Sequence[Question], agent: AnsweringAgent, seed: int, trial: str
) -> Outcome:
    """Plays the four phases.

    Raises:
        EntrantError: when the agent gives an action that is none, an answer that is no text, empty or too long, or
            takes too long.
    """
    started, protocol = time.perf_counter(), world.protocol
    start = world.draw_start(seed)
    facts = _body_facts(world, agent, questions)
    agent.reset(Briefing(EXPLORE, seed, {**facts, "phase": 1, "steps": protocol.steps}))
    first = walk(world, agent, start, protocol.steps)
    early = [ask(agent, question, protocol) for question in questions]
    known = {"questions": [question.text for question in questions], "answers": early}
    returning = {**facts, **known, "phase": 3, "steps": protocol.most_reentry_steps}
    agent.brief(Briefing(RETURN, seed, returning))
    second = walk(world, agent, start, protocol.most_reentry_steps)
    late = [ask(agent, question, protocol) for question in questions]
    return Outcome(
        trial=trial,
        metrics=_metrics(world, questions, early, late, first, second),
        cluster=trial,
        seed=seed,
        steps=len(first.actions) + len(second.actions),
        wall_time_s=time.perf_counter() - started,
        details={
            "house": world.house.name,
            "questions": _asked(questions, early, late),
            "phases": {"explore": told(first), "return": told(second)},
            "floor_m2": round(world.floor_m2, 2),
            "objects": len(world.house.objects),
            "privileged": [name for name in PRIVILEGED if name in _wanted(agent)],
        },
    )


def walk(world: ExploreWorld, agent: AnsweringAgent, start: Start, steps: int) -> Diary:
    """Lets the agent act until it says Done or has no steps left."""
    wanted = _wanted(agent)
    world.enter(start, blind=not wanted)
    while len(world.diary.actions) < steps:
        step = len(world.diary.actions)
        label = checked_action(_timed(agent, agent.act, world.observe(wanted), world.protocol, f"step {step}"), step)
        if label == "Done":
            world.diary.actions.append(label)
            break
        world.act(label)
    return world.diary


def ask(agent: AnsweringAgent, question: Question, protocol: ExploreProtocol) -> str:
    """Asks one question.

    Raises:
        EntrantError: when the answer is no text, empty or too long; the question is named.
    """
    given = _timed(agent, agent.answer, question.text, protocol, f"question {question.id}")
    try:
        checked_answer(given)
    except EntrantError as error:
        raise EntrantError(f"Question {question.id} ({question.text!r}): {error}") from None
    return str(given)


def checked_action(given: Any, step: int) -> str:
    """Returns the action that an agent gave as a label or as its place among them.

    Raises:
        EntrantError: when it is none.
    """
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given < len(ACTIONS):
        return ACTIONS[int(given)]
    if isinstance(given, str) and given in _KNOWN:
        return given
    raise EntrantError(
        f"Expected one of the task's {len(ACTIONS)} actions, such as MoveAhead, 'Grasp 0.25' or Done, or its place "
        f"among them, got {given!r} at step {step}."
    )


_KNOWN = frozenset(ACTIONS)


def told(diary: Diary) -> dict[str, Any]:
    """A phase as its record tells it."""
    steps = [action for action in diary.actions if action != "Done"]
    stride = max(1, len(diary.path) // (8 * CURVE_POINTS))
    shown = range(0, len(diary.path), stride)
    return {
        "steps": len(steps),
        "ended": "Done" if "Done" in diary.actions[-1:] else "cap",
        "actions": dict(Counter(action.partition(" ")[0] for action in steps)),
        "blocked": diary.blocked,
        "seen": diary.seen,
        "lifted": {name: [step, round(force, 2)] for name, (step, force) in diary.lifted.items()},
        "opened": diary.opened,
        "coverage": curve(diary.coverage),
        "path": [[round(diary.path[step].x_m, 2), round(diary.path[step].y_m, 2)] for step in shown],
        "path_stride": stride,
    }


def curve(values: Sequence[float]) -> list[list[float]]:
    """Thins a curve to at most :data:`CURVE_POINTS` pairs of step and value, its last one included."""
    if not values:
        return []
    places = sorted({int(place) for place in np.linspace(0, len(values) - 1, CURVE_POINTS)})
    return [[place + 1, round(values[place], 4)] for place in places]


def _metrics(
    world: ExploreWorld,
    questions: Sequence[Question],
    early: Sequence[str],
    late: Sequence[str],
    first: Diary,
    second: Diary,
) -> dict[str, float]:
    acc_exp, acc_ref = (
        accuracy([is_right(question, answer) for question, answer in zip(questions, answers, strict=True)])
        for answers in (early, late)
    )
    t3_steps = sum(action != "Done" for action in second.actions)
    placed = world.agent.scene.house_scene.placed
    liftable = sum(bool(placed[item.id].free_joint) for item in world.house.objects)
    return {
        "exqa": exqa(acc_exp, acc_ref, t3_steps, world.protocol.energy),
        "acc_exp": acc_exp,
        "acc_ref": acc_ref,
        "t3_steps": float(t3_steps),
        "coverage": first.coverage[-1] if first.coverage else 0.0,
        "objects_seen": len(first.seen) / max(1, len(world.house.objects)),
        "objects_lifted": min(1.0, len(first.lifted) / max(1, liftable)),
    }


def _asked(questions: Sequence[Question], early: Sequence[str], late: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "id": question.id,
            "family": question.family,
            "kind": question.kind,
            "needs_touch": question.needs_touch,
            "text": question.text,
            "truth": answer_text(question.answer),
            "answers": [first, second],
            "right": [is_right(question, first), is_right(question, second)],
        }
        for question, first, second in zip(questions, early, late, strict=True)
    ]


def _body_facts(world: ExploreWorld, agent: AnsweringAgent, questions: Sequence[Question]) -> dict[str, Any]:
    settings = world.agent.settings
    facts: dict[str, Any] = {
        "camera_height_m": settings.camera_height_m,
        "fovy_deg": settings.fovy_deg,
        "step_m": settings.step_m,
        "angle_deg": settings.angle_deg,
        "arm_step_m": settings.arm_step_m,
        "force_step_kgf": FORCE_STEP_KGF,
    }
    if "true_programs" in _wanted(agent):
        facts["true_programs"] = {question.text: program_json(question.program) for question in questions}
    return facts


def _wanted(agent: AnsweringAgent) -> list[str]:
    return [array.name for array in agent.spec.observations]


def _timed(agent: AnsweringAgent, call: Any, argument: Any, protocol: ExploreProtocol, what: str) -> Any:
    began = time.monotonic()
    given = call(argument)
    took_s = time.monotonic() - began
    # A person may go for a coffee.
    if took_s > protocol.act_limit_s and not getattr(agent, "at_own_pace", False):
        raise EntrantError(
            f"Expected a reply within {protocol.act_limit_s:.0f} s, got it after {took_s:.0f} s ({what})."
        )
    return given
