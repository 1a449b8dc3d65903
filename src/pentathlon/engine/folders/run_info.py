"""What a run is and what came of it: the contents of ``run.json`` and ``summary.json``."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pentathlon.core.entrants import Kind
from pentathlon.core.identity import content_hash, to_plain
from pentathlon.core.registry import EntrantEntry
from pentathlon.core.scores import Score
from pentathlon.core.task import Task
from pentathlon.engine.content import entrant_content
from pentathlon.engine.folders.provenance import Hardware, command_line, hardware, package_versions

FORMAT = 1


@dataclass(frozen=True)
class RunInfo:
    """The content of ``run.json``: what is run and with what it was first started.

    Attributes:
        format: version of the folder's layout.
        factory: what built the entrant, called with ``options``.
        protocol: the task's protocol as plain values.
        protocol_hash: what each line of the journal must carry.
        renderer: name, version and setting of the eyes, where the task tells them by an attribute ``renderer``.
        task_options: what replaced the options of the task's entry.
        content: hashes of the entrant's code and weights, by name, and of what the task has as ``content``.
        fingerprint: what the built entrant calls itself, where it has an attribute or a method ``fingerprint``.
    """

    format: int
    task: str
    entrant: str
    kind: Kind
    factory: str
    options: Mapping[str, Any]
    protocol: Any
    protocol_hash: str
    packages: Mapping[str, str]
    hardware: Hardware
    python: str
    command: str
    renderer: Mapping[str, str] = field(default_factory=dict)
    task_options: Mapping[str, Any] = field(default_factory=dict)
    content: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str = ""

    @classmethod
    def describe(cls, task: Task, entrant: EntrantEntry, task_options: Mapping[str, Any] | None = None) -> RunInfo:
        """Describes the run of ``entrant`` on ``task``, built with ``task_options``, in this process."""
        return cls(
            format=FORMAT,
            task=task.id,
            entrant=entrant.id,
            kind=task.kind,
            factory=entrant.factory,
            options=to_plain(dict(entrant.options)),
            protocol=to_plain(task.protocol),
            protocol_hash=content_hash(task.protocol),
            packages=package_versions(),
            hardware=hardware(),
            python=".".join(map(str, sys.version_info[:3])),
            command=command_line(),
            renderer=to_plain(getattr(task, "renderer", {})),
            task_options=to_plain(dict(task_options or {})),
            content={**entrant_content(entrant), **getattr(task, "content", {})},
        )

    @property
    def location(self) -> Path:
        """The folder's place below the output folder: ``event/task/entrant-hash``.

        It is asked for before the entrant is built; a fingerprint counts only where the folder without it turned out
        to hold the run of another.
        """
        event, name = self.task.split("/")
        slug = re.sub(r"[^a-z0-9.]+", "-", self.entrant.lower()).strip("-.")[:48]
        identity = [self.task, self.entrant, self.factory, self.options, self.protocol_hash, self.content]
        digest = content_hash([*identity, self.fingerprint] if self.fingerprint else identity, length=12)
        return Path(event, name, f"{slug}-{digest}")

    @property
    def build(self) -> str:
        """Six digits that tell entrants of one name apart: other options, code or weights."""
        return content_hash([self.factory, self.options, self.content, self.fingerprint], length=6)


@dataclass(frozen=True)
class RunSummary:
    """The content of ``summary.json``: how far a run has come and its scores.

    Attributes:
        expected: trials of the task.
        recorded: trials with an outcome; fewer than expected after a limited run.
        errors: outcomes that are errors.
        wall_time_s: time spent in trials, added up over workers.
        complete: whether every trial of the task is recorded.
        folder: where the run lies; not part of the file.
    """

    task: str
    entrant: str
    expected: int
    recorded: int
    errors: int
    scores: tuple[Score, ...]
    wall_time_s: float
    complete: bool
    folder: Path = field(default=Path(), compare=False)
