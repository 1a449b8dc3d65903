"""Ranks rollouts of act's policies by a judge, and tells how well the judge agrees with the scale.

Usage:
    python examples/05_rank_rollouts.py [JUDGE] [SETUPS]

The paper's purpose of a judge is to supervise. Here policies pour in the simulated bench of act; a judge watches each
rollout, scores a sentence against another, and its favourite of every setup is compared with what the scale says. The
policies are act's own: the scripted expert, the expert that stops half-way, and one that holds still. ``JUDGE`` is
anything that the option ``--entrant`` of ``run`` takes, ``frames-dense`` when not given.
"""

from __future__ import annotations

import sys
from itertools import islice

import numpy as np

from pentathlon.core import resolve_entrant
from pentathlon.core.entrants import Floats, Judge, Observation, Policy
from pentathlon.events.act.baselines import HoldStill, ScriptedExpert
from pentathlon.events.act.protocol import ActProtocol, Trial, make_protocol
from pentathlon.events.act.trial import run_trial
from pentathlon.events.judge.agreement import rank_agreement
from pentathlon.events.judge.data.frames import Frames, even_places
from pentathlon.events.judge.metrics import softmax
from pentathlon.worlds.tabletop.arm.robot import Sight
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot

SENTENCES = (
    "a robot arm tips a cup over a bowl on the table until the bowl is full",
    "a robot arm holds a cup upright and does not move",
)
FRAMES = 16


class HalfWay:
    """Follows another policy for the first part of its plan, then stays."""

    def __init__(self, other: Policy, share: float) -> None:
        self._other, self._share = other, share
        self.spec = other.spec

    def reset(self) -> None:
        """Starts anew."""
        self._other.reset()
        self._last: Floats | None = None

    def predict(self, observation: Observation) -> Floats:
        """Returns the beginning of the plan, and its last pose afterwards."""
        if self._last is None:
            plan = np.atleast_2d(self._other.predict(observation))
            kept = plan[: max(1, int(len(plan) * self._share))]
            self._last = kept[-1:]
            return kept
        return np.repeat(self._last, 50, axis=0)


def rollout(robot: SimulatedRobot, policy: Policy, trial: Trial, protocol: ActProtocol) -> tuple[float, Frames]:
    """Lets a policy act; returns the grams that it moved and what was to be seen."""
    seen: list[Sight] = []
    outcome = run_trial(robot, policy, trial, protocol, watch=seen.append)
    frames = np.stack([sight.image for sight in seen])
    return outcome.metrics["reward_g"], frames[even_places(len(frames), FRAMES)]


def reward(judge: Judge, frames: Frames) -> float:
    """The share of the first sentence after softmax."""
    scores = np.asarray(judge.score(frames, list(SENTENCES)), np.float64)
    return float(softmax(scores[None])[0, 0])


def main(judge_id: str = "frames-dense", setups: int = 6) -> int:
    """Prints every rollout, the favourites, and the rank correlation."""
    judge = resolve_entrant(judge_id).make()
    protocol = make_protocol("pour", "sprint")
    robot = SimulatedRobot(image_size=(224, 224))
    grams, judged, chosen = [], [], []
    for trial in islice(protocol.trials(), setups):
        expert = ScriptedExpert().for_trial(robot, trial)
        policies: list[Policy] = [HoldStill(), HalfWay(expert, 0.5), HalfWay(expert, 0.65), expert]
        rolls = [rollout(robot, policy, trial, protocol) for policy in policies]
        rewards = [reward(judge, frames) for _, frames in rolls]
        grams.append([one for one, _ in rolls])
        judged.append(rewards)
        chosen.append(grams[-1][int(np.argmax(rewards))])
        print(trial.id, *(f"{true:6.1f} g ({given:.3f})" for true, given in zip(grams[-1], rewards, strict=True)))
    found = rank_agreement(np.array(judged), np.array(grams))
    best, mean = np.max(grams, axis=1).mean(), np.mean(grams)
    print(f"rank correlation of judge and scale within a setup: {found}")
    print(f"grams of the judge's favourite: {np.mean(chosen):.1f}; of any rollout {mean:.1f}, of the best {best:.1f}")
    return 0


if __name__ == "__main__":
    words = sys.argv[1:]
    raise SystemExit(main(words[0] if words else "frames-dense", int(words[1]) if words[1:] else 6))
