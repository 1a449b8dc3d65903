"""Pentathlon: one program that tells how good a model is at being in the world.

What ``__all__`` names here and in the packages' ``__init__`` is public; all else may change without notice. Names are
imported when they are first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pentathlon.api import Evaluation, compare, entrants, evaluate, load_run, run, standings, tasks

__version__ = "0.1.0"

__all__ = [
    "Evaluation",
    "__version__",
    "compare",
    "entrants",
    "evaluate",
    "load_run",
    "run",
    "standings",
    "tasks",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("pentathlon.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
