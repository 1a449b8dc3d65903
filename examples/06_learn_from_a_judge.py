"""Fine-tunes a small policy on a judge's reward alone, and tells how well that reward agrees with the true one.

Usage:
    python examples/06_learn_from_a_judge.py [JUDGE]

In a kitchen of the test split a policy chooses what to do, twice. It starts from what people would do anyway (every
deed alike) and is fine-tuned by REINFORCE (Williams 1992) on what a judge thinks of its films: did they show "first we
turn on the desk lamp, then we pick up a mug"? The true reward, the share of steps that were the right ones at their
place, is only reported: a policy may learn a judge's mistakes instead. ``JUDGE`` is ``order`` when not given.
"""

from __future__ import annotations

import sys
from itertools import product
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from pentathlon.core import resolve_entrant
from pentathlon.core.entrants import Judge
from pentathlon.events.judge.agreement import rank_agreement
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.films.home.making import shoot
from pentathlon.events.judge.films.home.recipe import write_recipe
from pentathlon.events.judge.films.home.situation import follow
from pentathlon.events.judge.films.home.vocabulary import Deed, step_words
from pentathlon.events.judge.reward import JudgeReward

DEEDS = (
    Deed("turn on", "desk lamp"),
    Deed("turn on", "floor lamp"),
    Deed("pick up", "mug", "dining table"),
    Deed("pick up", "apple", "counter top"),
)
WANTED = (0, 2)
THINGS = ("Apple", "Mug")
KITCHEN = 5
EPISODES, RATE, POLICIES = 1000, 0.2, 20


class KitchenEnv(gym.Env[int, int]):
    """Two deeds in a kitchen, each a step; ``render`` shows the whole film once the last one is done."""

    metadata = {"render_modes": ["rgb_array_list"]}  # noqa: RUF012 (Gymnasium declares it so)
    observation_space: gym.Space[Any] = gym.spaces.Discrete(len(WANTED) + 1)
    action_space: gym.Space[Any] = gym.spaces.Discrete(len(DEEDS))
    render_mode = "rgb_array_list"

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Starts anew."""
        super().reset(seed=seed)
        self._place = 0
        self._done: list[Deed] = []
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Does a deed; the reward is a half where it was the right one at its place.

        What cannot be done, such as to take a second thing, is not done and earns nothing.
        """
        deed, right = DEEDS[int(action)], int(action) == WANTED[self._place]
        self._place += 1
        can = follow([*self._done, deed]) is not None
        self._done += [deed] if can else []
        return self._place, float(can and right) / len(WANTED), self._place == len(WANTED), False, {}

    def render(self) -> Any:
        """Returns the film of all that was done; nothing before the end."""
        if self._place < len(WANTED):
            return []
        return list(shoot(write_recipe("test", KITCHEN, THINGS, self._done)).frames)


def sentence_of(numbers: tuple[int, ...]) -> str:
    """Says deeds in words."""
    return describe([step_words(DEEDS[number]) for number in numbers])


def judged_films(judge: Judge) -> dict[tuple[int, ...], tuple[float, float]]:
    """The judge's and the true reward of every film; each is shot once, since the kitchen is the same every time."""
    pairs = [pair for pair in product(range(len(DEEDS)), repeat=2) if pair != WANTED and len(set(pair)) > 1]
    # Without the single deeds a policy learns to do only one: what nobody describes, a judge must take for another.
    others = [sentence_of(told) for told in (*pairs, *((number,) for number in range(len(DEEDS))))]
    env = JudgeReward(KitchenEnv(), judge, sentence_of(WANTED), instead=others)
    found = {}
    for pair in product(range(len(DEEDS)), repeat=2):
        env.reset(seed=0)
        for number in pair:
            _, reward, _, _, info = env.step(number)
        found[pair] = (float(reward), float(info["true_reward"]))
        print(f"{found[pair][0]:.3f} by the judge, {found[pair][1]:.1f} true: {sentence_of(pair)}", flush=True)
    return found


def fine_tune(rewards: dict[tuple[int, ...], float], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Returns the chances ``[step, deed]`` of a policy that learnt from rewards alone."""
    logits = np.zeros((len(WANTED), len(DEEDS)))
    mean = 0.0
    for _ in range(EPISODES):
        chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        chosen = tuple(int(rng.choice(len(DEEDS), p=row)) for row in chances)
        reward = rewards[chosen]
        for place, number in enumerate(chosen):
            logits[place] += RATE * (reward - mean) * (np.eye(len(DEEDS))[number] - chances[place])
        mean += 0.05 * (reward - mean)
    return np.asarray(np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True))


def main(judge_id: str = "order") -> int:
    """Prints every film's rewards, what the policy learnt, and the rank correlation."""
    found = judged_films(resolve_entrant(judge_id).make())
    rewards = {pair: given for pair, (given, _) in found.items()}
    learnt = [fine_tune(rewards, np.random.default_rng(seed)) for seed in range(POLICIES)]
    after = [sum(one[0, a] * one[1, b] * true for (a, b), (_, true) in found.items()) for one in learnt]
    asked = [one[0, WANTED[0]] * one[1, WANTED[1]] for one in learnt]
    before = np.mean([true for _, true in found.values()])
    print(f"true reward of {POLICIES} policies: {before:.2f} before, {np.mean(after):.2f} after {EPISODES} films each")
    print(f"what was asked for is done most of the time by {sum(one > 0.5 for one in asked)} of them")
    table = np.array(list(found.values())).reshape(len(DEEDS), len(DEEDS), 2)
    judged, true = table[..., 0], table[..., 1]
    print(
        f"rank correlation of judge and truth: {rank_agreement(judged.reshape(1, -1), true.reshape(1, -1)).value:.2f}"
    )
    # Films that begin alike are a group, so that the interval is over beginnings.
    print(f"  among films that begin alike: {rank_agreement(judged, true)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
