"""Compares the ray caster with MuJoCo's OpenGL on every model that packages carry as files.

    python bench/eyes_models.py --packages DIR --output models.csv

DIR is a folder of installed packages, such as one made by `pip install --no-deps --target DIR dm_control metaworld`.
Packages that are not there are skipped, and so are files that are no whole model. OpenGL draws round things as
polyhedra; where the two differ, it is told to use more faces. Models in the output file are not measured again.
"""

from __future__ import annotations

import csv
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import mujoco
import tyro

from pentathlon.worlds.rendering import OpenGLEyes, Raycaster
from pentathlon.worlds.rendering.gallery.compare import Difference, difference

PACKAGES = (
    "dm_control", "gym_aloha", "gymnasium", "gymnasium_robotics", "metaworld", "mujoco_menagerie", "mujoco_playground",
    "myosuite", "panda_gym", "robosuite", "robot_descriptions",
)  # fmt: skip
LEAST_DEPTH, LEAST_IDS, MOST_COLOUR = 0.99, 0.98, 2.0
SLICES = (64, 400)  # of OpenGL's round things, the second where the first does not agree
FIELDS = ("package", "model", "view", "depth_equal", "ids_equal", "colour_mean_abs")


@dataclass(frozen=True)
class ModelBench:
    """Compare the two renderers on the models of other packages."""

    packages: Path = Path(sysconfig.get_path("purelib"))
    """Folder of installed packages."""
    output: Path = Path("eyes_models.csv")
    """One row for each view; rows that are there are kept."""
    only: tuple[str, ...] = PACKAGES
    """Packages to look into."""
    size: tuple[int, int] = (224, 168)
    """Width and height of the pictures."""
    views: int = 2
    """The free camera, and so many less one of the model's own."""

    def run(self) -> int:
        """Measures what is missing and prints a table; returns 1 if fewer than 95 % of the models agree."""
        rows = _read(self.output)
        known = {(row["package"], row["model"]) for row in rows}
        with self.output.open("a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            if not rows:
                writer.writeheader()
            for package, path in self._files():
                name = str(path.relative_to(self.packages / package))
                if (package, name) in known:
                    continue
                for view, found in self._compare(path):
                    row = dict(zip(FIELDS, (package, name, view, *_numbers(found)), strict=True))
                    writer.writerow(row)
                    rows.append(row)
                file.flush()
        return _report(rows)

    def _files(self) -> Iterator[tuple[str, Path]]:
        for package in self.only:
            for path in sorted((self.packages / package).rglob("*.xml")):
                yield package, path

    def _compare(self, path: Path) -> Iterator[tuple[int, Difference]]:
        try:
            model = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            return  # a part of a model
        if not model.ngeom + model.nskin + model.nflex:
            return
        data = mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        mujoco.mj_forward(model, data)
        yield from self._views(model, data)

    def _views(self, model: mujoco.MjModel, data: mujoco.MjData) -> Iterator[tuple[int, Difference]]:
        views = list(range(-1, min(self.views - 1, model.ncam)))
        with Raycaster(model, "fast") as rays:
            ours = [rays.render(data, view, self.size) for view in views]
        for slices in SLICES:
            model.vis.quality.numslices = model.vis.quality.numstacks = slices
            with OpenGLEyes(model, "fast") as opengl:
                frames = [opengl.render(data, view, self.size) for view in views]
            found = [difference(*pair) for pair in zip(ours, frames, strict=True)]
            if all(map(agrees, found)):
                break
        yield from zip(views, found, strict=True)


def agrees(found: Difference) -> bool:
    """Tells whether two pictures count as the same."""
    return found.depth_equal >= LEAST_DEPTH and found.ids_equal >= LEAST_IDS and found.colour_mean_abs <= MOST_COLOUR


def _numbers(found: Difference) -> tuple[str, str, str]:
    return f"{found.depth_equal:.5f}", f"{found.ids_equal:.5f}", f"{found.colour_mean_abs:.3f}"


def _read(path: Path) -> list[dict[str, object]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def _agrees(row: dict[str, object]) -> bool:
    return agrees(Difference(*(float(str(row[field])) for field in FIELDS[3:])))


def _report(rows: list[dict[str, object]]) -> int:
    """Prints how many models agree in each package, and the views that do not."""
    agree: dict[str, dict[str, bool]] = {}
    for row in rows:
        models = agree.setdefault(str(row["package"]), {})
        models[str(row["model"])] = models.get(str(row["model"]), True) and _agrees(row)
    print("| package | models | agree |\n|---|---|---|")
    for package, models in agree.items():
        print(f"| {package} | {len(models)} | {sum(models.values())} |")
    every = [result for models in agree.values() for result in models.values()]
    share = sum(every) / max(len(every), 1)
    print(f"| all | {len(every)} | {sum(every)} ({100 * share:.1f} %) |\n")
    for row in rows:
        if not _agrees(row):
            print(" ".join(str(row[field]) for field in FIELDS))
    return int(share < 0.95)


if __name__ == "__main__":
    sys.exit(tyro.cli(ModelBench).run())
