"""Measures explore: steps of the arm agent with pictures, of the symbolic agent, questions, and trials per hour.

    python bench/explore.py

All rates are per second of CPU time of this process, which a busy machine disturbs little.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, replace

import tyro

from pentathlon.core import Briefing
from pentathlon.events.explore.agents.symbolic import make_symbolic
from pentathlon.events.explore.protocol import make_protocol, trial_seed
from pentathlon.events.explore.questions.generate import questions_about
from pentathlon.events.explore.questions.survey import survey
from pentathlon.events.explore.trial import walk
from pentathlon.events.explore.world import ExploreWorld
from pentathlon.worlds.houses.house import House

WALK = (
    "MoveAhead",
    "RotateLeft",
    "MoveAhead",
    "RotateLeft",
    "RotateLeft",
    "MoveBack",
    "RotateRight",
    "LookDown",
    "LookUp",
)


@dataclass(frozen=True)
class Bench:
    """Measure explore."""

    seed: int = 11_003
    """Of the house."""
    steps: int = 300
    """Of each measurement."""
    size_px: int = 224
    """Width and height of the pictures."""

    def run(self) -> None:
        """Prints all rates."""
        house = House.generate(self.seed)
        protocol = replace(make_protocol("generated", "full"), size_px=self.size_px)
        began = time.process_time()
        surveyed = survey(house)
        print(f"{len(house.rooms)} rooms, {len(house.objects)} objects; survey {time.process_time() - began:.2f} s")
        began = time.process_time()
        questions = questions_about(surveyed, house.name, trial_seed(house.name), 20, "test")
        print(f"questions: {len(questions) / (time.process_time() - began):.1f} per s after the survey")
        with closing(ExploreWorld(house, protocol, surveyed.facts)) as world:
            start = world.draw_start(1)
            world.enter(start)
            for action in WALK:
                world.act(action)
            began = time.process_time()
            for step in range(self.steps):
                world.act(WALK[step % len(WALK)])
            rate = self.steps / (time.process_time() - began)
            print(f"arm agent with pictures of {self.size_px} px: {rate:.1f} steps per s")
            agent = make_symbolic()
            agent.reset(Briefing("", 0))
            began = time.process_time()
            walk(world, agent, start, self.steps)
            spent = time.process_time() - began
            print(f"symbolic agent, world and all: {self.steps / spent:.1f} steps per s")
            print(f"trials of 2,500 + 500 steps per hour and core: {3600 / (3000 * spent / self.steps):.1f}")


if __name__ == "__main__":
    tyro.cli(Bench, description=__doc__).run()
