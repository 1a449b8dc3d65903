"""Questions per second of explore, split into the building of the house, its facts, the drawing and the second check.

    python bench/explore_questions.py [--houses 5] [--split test]

Times are CPU seconds of this process, so that a busy machine does not change them.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from pentathlon.events.explore.questions.check import complaints
from pentathlon.events.explore.questions.generate import questions_about
from pentathlon.events.explore.questions.survey import survey_scene
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import split_house

TIMES: dict[str, float] = defaultdict(float)


@contextmanager
def timed(name: str) -> Iterator[None]:
    """Adds the CPU time of a block."""
    began = time.process_time()
    yield
    TIMES[name] += time.process_time() - began


def main() -> None:
    """Prints CPU seconds per house for each part, and questions per second."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--houses", type=int, default=5)
    parser.add_argument("--split", default="test", choices=["train", "val", "test"])
    options = parser.parse_args()
    asked = 0
    for index in range(options.houses):
        with timed("generate and compile the house"):
            house = split_house(options.split, index)
            scene = compile_house(house, switchable=False)
            data, geometry = scene.new_data(), ObjectGeometry(scene)
        with timed("take its facts"):
            surveyed = survey_scene(scene, data, geometry)
        with timed("draw 20 questions"):
            questions = questions_about(surveyed, house.name, 0, split=options.split)
        with timed("answer them again, slowly"):
            assert not list(complaints(house, build_graph(scene, data, geometry), questions))
        asked += len(questions)
    for name, spent_s in TIMES.items():
        print(f"{name:<32} {spent_s / options.houses:6.2f} CPU s per house")
    print(f"{asked / TIMES['draw 20 questions']:.0f} questions per CPU second, {asked} in all")


if __name__ == "__main__":
    main()
