"""A maker of small files, and a process that uses it, which tests may kill."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from pentathlon.core.making import Item
from pentathlon.engine import make_pool
from pentathlon.storage.making import make_missing

MAKER = "toy_making:make"


def make(path: Path, about: dict[str, Any]) -> None:
    """Writes the square of a number; ``fault`` makes it raise, end its process, or wait for the file ``open``."""
    match about.get("fault"):
        case "raise":
            raise ValueError("cannot square this")
        case "die":
            os._exit(7)
        case "gated":
            while not (path.parent / "open").exists():
                time.sleep(0.01)
    temporary = path.with_suffix(".part")
    temporary.write_text(str(about["number"] ** 2))
    temporary.replace(path)


def items(folder: Path, count: int, faults: dict[int, str] | None = None) -> list[Item]:
    """The squares of ``count`` numbers."""
    faults = faults or {}
    return [
        Item(str(folder / f"{number:02}.txt"), {"number": number, "fault": faults.get(number)})
        for number in range(count)
    ]


def main(folder: str, settings: str) -> None:
    options = json.loads(settings)
    faults = {int(number): fault for number, fault in options.pop("faults", {}).items()}
    make_missing(MAKER, items(Path(folder), options.pop("count"), faults), pool=make_pool(**options))


if __name__ == "__main__":
    main(*sys.argv[1:])
