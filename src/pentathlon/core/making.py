"""The contract between who wants files made and who makes them: items, results, and the pool of workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias


@dataclass(frozen=True)
class Item:
    """A file to make.

    Attributes:
        path: absolute, so that it means the same in every process.
        about: what the file holds, as plain JSON values.
    """

    path: str
    about: Any


@dataclass(frozen=True)
class Result:
    """How the making of an item ended.

    Attributes:
        status: ``held`` when another process is making it.
        error: what went wrong, for people.
    """

    path: str
    status: Literal["made", "held", "failed"]
    error: str = ""


Tell: TypeAlias = Callable[[Result], None]


class Pool(Protocol):
    """Workers that make files, here or elsewhere."""

    def run(self, maker: str, items: Sequence[Item], tell: Tell) -> None:
        """Makes every item with the ``module:function`` that ``maker`` names and tells how each ended, in any order."""
        ...
