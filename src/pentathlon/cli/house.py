"""``pentathlon house``: make, look at, check and import houses."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import DataError, UsageError

Output = Annotated[Path, tyro.conf.arg(aliases=["-o"])]


@dataclass(frozen=True)
class New:
    """Generate a furnished house; the same seed and rooms give the same file."""

    seed: int = 0
    """Any non-negative integer."""
    rooms: int | None = None
    """1 to 10; drawn from the seed when not given."""
    out: Output = Path("home.json")
    """The house file to write."""

    def run(self) -> int:
        """Writes the house."""
        from pentathlon.worlds.houses.files.house_files import write_house
        from pentathlon.worlds.houses.house import House

        house = House.generate(self.seed, self.rooms)
        write_house(house, self.out)
        types = ", ".join(room.type for room in house.rooms)
        print(f"{self.out}: {len(house.rooms)} rooms ({types}), {len(house.objects)} objects")
        print(f"Next: pentathlon house show {self.out}")
        return 0


@dataclass(frozen=True)
class Show:
    """Picture a house: its plan, from above, every room, and a walk through it as a video."""

    house: tyro.conf.Positional[Path]
    """A house file."""
    out: Output = Path("house")
    """Folder for the pictures."""
    video: bool = True
    """Whether to film the walk."""

    def run(self) -> int:
        """Writes the pictures."""
        from PIL import Image

        from pentathlon.storage import write_mp4
        from pentathlon.worlds.houses.files.house_files import read_house
        from pentathlon.worlds.houses.pictures import views
        from pentathlon.worlds.houses.pictures.drawing import draw_house
        from pentathlon.worlds.houses.scene.house_scene import compile_house
        from pentathlon.worlds.houses.ways.navigation import NavigationMap

        house = read_house(self.house)
        self.out.mkdir(parents=True, exist_ok=True)
        draw_house(house).save(self.out / "plan.png")
        scene = compile_house(house)
        data = scene.new_data()
        ways = NavigationMap.of_scene(house, scene.model, data)
        Image.fromarray(views.top_down(scene, data)).save(self.out / "top.png")
        Image.fromarray(views.dollhouse(scene, data)).save(self.out / "dollhouse.png")
        for i, (room, picture) in enumerate(views.room_pictures(scene, data, ways)):
            Image.fromarray(picture).save(self.out / f"room_{i}_{room.type}.png")
        if self.video:
            write_mp4(self.out / "walk.mp4", views.walk_through(scene, data, ways), 15.0)
        print("\n".join(str(path) for path in sorted(self.out.iterdir())))
        return 0


@dataclass(frozen=True)
class Check:
    """Check house files: what is wrong, where, and whether every room can be reached."""

    houses: tyro.conf.Positional[tuple[Path, ...]]
    """House files."""

    def run(self) -> int:
        """Prints the findings; status 1 when any house has a fault."""
        faulty = False
        for path in self.houses:
            findings = list(_findings(path))
            faulty |= bool(findings)
            print("\n".join(f"{path}: {finding}" for finding in findings) if findings else f"{path}: ok")
        return int(faulty)


@dataclass(frozen=True)
class Import:
    """Turn a ProcTHOR house into a house file; what had to be changed is told."""

    source: tyro.conf.Positional[Path]
    """A ProcTHOR house, JSON."""
    assets: Path | None = None
    """ProcTHOR's asset-database.json, for the sizes of objects."""
    out: Output = Path("home.json")
    """The house file to write."""

    def run(self) -> int:
        """Writes the house and the warnings."""
        from pentathlon.worlds.houses.files.house_files import write_house
        from pentathlon.worlds.houses.files.procthor import import_procthor

        house, warnings = import_procthor(self.source, self.assets)
        write_house(house, self.out)
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        print(f"{self.out}: {len(house.rooms)} rooms, {len(house.objects)} objects, {len(warnings)} warnings")
        return 0


@dataclass(frozen=True)
class Sheet:
    """Picture furnished rooms of generated houses on one sheet."""

    seed: int = 21
    """The first house; the next ones follow until there are enough rooms of each kind."""
    rooms: int = 6
    """How many rooms."""
    out: Output = Path("rooms.png")
    """The picture to write."""

    def run(self) -> int:
        """Writes the sheet."""
        from pentathlon.worlds.houses.pictures.views import room_sheet

        if self.rooms < 1:
            raise UsageError(f"Expected at least 1 room, got {self.rooms}.")
        if not self.out.parent.is_dir():
            raise UsageError(
                f"Expected a folder that exists for the picture, got {str(self.out.parent)!r}. Make it first."
            )
        room_sheet(self.seed, self.rooms).save(self.out)
        print(self.out)
        return 0


@dataclass(frozen=True)
class House:
    """Make, look at, check and import houses."""

    command: (
        Annotated[New, tyro.conf.subcommand("new")]
        | Annotated[Show, tyro.conf.subcommand("show")]
        | Annotated[Check, tyro.conf.subcommand("check")]
        | Annotated[Import, tyro.conf.subcommand("import")]
        | Annotated[Sheet, tyro.conf.subcommand("sheet")]
    )

    def run(self) -> int:
        """Does what was asked."""
        return self.command.run()


def _findings(path: Path) -> list[str]:
    from pentathlon.worlds.houses.files.checks import problems
    from pentathlon.worlds.houses.files.house_files import decode_house, read_limited
    from pentathlon.worlds.houses.inspection.report import faults

    try:
        house = decode_house(read_limited(path), path.name)
    except DataError as error:
        return [str(error).removeprefix(f"{path.name}: ")]
    return [str(problem) for problem in problems(house)] or list(faults(house))
