"""Makes the pictures of the bench that the documentation shows.

Run: python -m pentathlon.worlds.tabletop.pictures docs/pictures/act
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.tabletop.arm.robot import Setup, Sight, TaskName
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.tables import containers, locations, materials
from pentathlon.worlds.tabletop.experts.demonstrators import demonstrate

Image = npt.NDArray[np.uint8]

SHOWN = {
    "pour": (Setup("pour", "red_cup", "hazelnuts", "front_centre", 5), 3),
    "scoop": (Setup("scoop", "blue_bowl", "pasta", "front_centre", 5), 1),
}
"""The demonstrations of the documentation: setup and style seed."""
_SHARES = (0.0, 0.3, 0.45, 0.6, 0.75, 0.98)


def film_strip(robot: SimulatedRobot, setup: Setup, style_seed: int, columns: int = 3) -> Image:
    """Returns six moments of a demonstration, row by row."""
    seen: list[Image] = []

    def keep(sight: Sight) -> None:
        seen.append(sight.image)

    demonstrate(setup, style_seed, robot=robot, watch=keep)
    return tiled([seen[int(share * (len(seen) - 1))] for share in _SHARES], columns)


def line_up(robot: SimulatedRobot, task: TaskName, columns: int = 3) -> Image:
    """Returns a task's containers, each at another place, with the materials in turn."""
    images = []
    for number, container in enumerate(containers(task)):
        material, place = materials(task)[number % len(materials(task))], locations()[(number * 4) % len(locations())]
        robot.prepare(Setup(task, container.name, material.name, place.name, number))
        images.append(robot.sense().image)
    return tiled(images, columns)


def tiled(images: Sequence[Image], columns: int) -> Image:
    """Returns images side by side in rows; missing ones are white."""
    blank = np.full_like(images[0], 255)
    padded = [*images, *[blank] * (-len(images) % columns)]
    return np.concatenate([np.concatenate(padded[i : i + columns], axis=1) for i in range(0, len(padded), columns)])


def main(folder: Path) -> None:
    """Writes all pictures into a folder."""
    from PIL import Image as Pillow

    folder.mkdir(parents=True, exist_ok=True)
    robot = SimulatedRobot(image_size=(240, 320))
    for name, (setup, style_seed) in SHOWN.items():
        Pillow.fromarray(film_strip(robot, setup, style_seed)).save(folder / f"bench-{name}.png")
    for task in ("pour", "scoop"):
        Pillow.fromarray(line_up(robot, task)).save(folder / f"bench-{task}-containers.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    main(parser.parse_args().folder)
