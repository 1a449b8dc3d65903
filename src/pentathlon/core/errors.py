"""The one error tree. Every message says what was expected, what was got and what to do.

PentathlonError
├── UsageError            the command or call was wrong
│   ├── UnknownIdError    no such task, entrant, camera ...; names the nearest
│   └── SpecMismatchError the entrant and the task disagree; names the field
├── EntrantError          the model under test misbehaved
├── DataError             a file is missing, malformed or of another version
├── RunFolderError        a run folder cannot be used (locked, corrupt, other protocol, disk full)
├── MachineError          this machine ran out of something or ended a worker; no entrant is blamed
└── MissingDependencyError an optional package or system part is not there
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def nearest_names(name: str, candidates: Sequence[str]) -> list[str]:
    """Returns up to three of ``candidates`` that ``name`` may have meant, the nearest first."""
    near = difflib.get_close_matches(name, candidates, n=3, cutoff=0.5)
    likeness = [difflib.SequenceMatcher(None, candidate, name).ratio() for candidate in near]
    return [candidate for candidate, alike in zip(near, likeness, strict=True) if alike > likeness[0] - 0.1]


class PentathlonError(Exception):
    """Root of every error that Pentathlon raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        """Lets an error leave a worker process, though its arguments are not its message."""
        return _restored, (type(self), self.args, dict(self.__dict__))


def _restored(kind: type[PentathlonError], arguments: tuple[object, ...], about: dict[str, object]) -> PentathlonError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(about)
    return error


class UsageError(PentathlonError):
    """The command or call was wrong; nothing was started."""


class UnknownIdError(UsageError):
    """A name was not found; the message offers the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        candidates = sorted(known)
        near = nearest_names(name, candidates)
        if near:
            advice = f"Did you mean {' or '.join(map(repr, near))}?"
        elif candidates:
            shown = ", ".join(candidates[:8]) + (", ..." if len(candidates) > 8 else "")
            advice = f"Known: {shown}."
        else:
            advice = f"No {kind} is known."
        super().__init__(" ".join(part for part in (f"Unknown {kind} {name!r}.", advice, hint) if part))
        self.name = name
        self.near = near


class SpecMismatchError(UsageError):
    """Two sides declare different specs; the offending field is named."""

    def __init__(self, field: str, expected: object, got: object, *, advice: str = "") -> None:
        message = f"Spec mismatch in {field!r}: the task expects {expected!r}, the entrant declares {got!r}."
        super().__init__(f"{message} {advice}".strip())
        self.field = field


class EntrantError(PentathlonError):
    """The model under test could not be built or returned something invalid."""


class DataError(PentathlonError):
    """A file is missing, malformed or of another version."""


class RunFolderError(PentathlonError):
    """A run folder cannot be used; nothing in it was changed."""


class MachineError(PentathlonError):
    """The machine failed, not the model under test; the same command continues once it is mended."""


class MissingDependencyError(PentathlonError):
    """A package or system part is needed that is not installed."""

    def __init__(self, what: str, install: str, *, why: str = "") -> None:
        reason = f" {why}" if why else ""
        super().__init__(f"{what} is needed but could not be loaded.{reason} Install it with: {install}")
