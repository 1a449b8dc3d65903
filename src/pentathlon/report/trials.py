"""What the page of a run knows about its trials: short rows and long details, in scripts fetched when needed."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from markupsafe import Markup

from pentathlon.core.trial import Outcome
from pentathlon.report.owned_files import OwnedFiles

CHUNK = 100
ROWS_PER_FILE = 5000
NOTE_LENGTH = 120
# What a script element or an old JavaScript parser would take for its own.
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


VideoLinks: TypeAlias = Sequence[tuple[str, str]]
"""Titles and addresses of the pages of a trial's videos."""


@dataclass(frozen=True)
class ArtifactLinks:
    """Where a page finds the artifacts of a run.

    Attributes:
        run: the run folder.
        page: the folder of the page.
        files: the site to copy artifacts into; ``None`` links to them where they lie.
        slug: the run's name in the site.
    """

    run: Path
    page: Path
    files: OwnedFiles | None = None
    slug: str = ""

    def link(self, artifact: str) -> str | None:
        """Returns the address relative to the page; ``None`` when the file is missing or outside the run folder."""
        source = (self.run / artifact).resolve()
        if not source.is_relative_to(self.run.resolve()) or not source.is_file():
            return None
        target = self.run / artifact
        if self.files is not None:
            inside = source.relative_to(self.run.resolve()).as_posix()
            target = self.files.copy(source, f"run/{self.slug}/{inside}")
        return quote(PurePosixPath(os.path.relpath(target.resolve(), self.page.resolve())).as_posix())


def script_json(value: Any) -> Markup:
    """Writes ``value`` as JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPES))


class Listing(NamedTuple):
    """The trial list: what the page holds, and scripts that hand it the rows."""

    head: dict[str, Any]
    scripts: list[str]


def listing(outcomes: Sequence[Outcome], metrics: Sequence[str]) -> Listing:
    """Lists the trials: titles and counts for the page, which stays small, and short rows in scripts beside it."""
    binary = _is_binary(outcomes, metrics)
    columns = ["trial", "result", *metrics, "steps", "seconds", "cluster", "note"]
    rows = [_row(outcome, metrics, binary) for outcome in outcomes]
    counts = Counter(row[1] for row in rows)
    head = {
        "chunk": CHUNK,
        "rows_per_file": ROWS_PER_FILE,
        "total": len(rows),
        "results": {name: counts[name] for name in (["success", "failure", "error"] if binary else ["ok", "error"])},
        "columns": columns,
        "used": [any(row[index] not in ("", None) for row in rows) for index in range(len(columns))],
    }
    parts = [rows[start : start + ROWS_PER_FILE] for start in range(0, len(rows), ROWS_PER_FILE)]
    return Listing(head, [f"receiveRows({index},{script_json(part)});\n" for index, part in enumerate(parts)])


def natural_order(name: str) -> list[tuple[bool, int, str]]:
    """Sorts names with their numbers by size: ``episode-9`` before ``episode-10``."""
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]


def metric_names(outcomes: Sequence[Outcome], first: Sequence[str]) -> list[str]:
    """Names every metric that a trial reports: ``first`` ones in their order, then the others sorted."""
    reported = {name for outcome in outcomes for name in outcome.metrics}
    return [name for name in first if name in reported] + sorted(reported - set(first))


def chunks(outcomes: Sequence[Outcome], links: ArtifactLinks, pages: Mapping[str, VideoLinks]) -> Iterator[str]:
    """Makes scripts, each of which hands the details of ``CHUNK`` trials to the page; ``pages`` by trial."""
    for start in range(0, len(outcomes), CHUNK):
        some = outcomes[start : start + CHUNK]
        trials = [_details(outcome, links, pages.get(outcome.trial, ())) for outcome in some]
        yield f"receiveTrials({start // CHUNK},{script_json(trials)});\n"


def _is_binary(outcomes: Sequence[Outcome], metrics: Sequence[str]) -> bool:
    headline = {outcome.metrics.get(metrics[0]) for outcome in outcomes if outcome.status == "ok"} if metrics else set()
    return bool(headline) and headline <= {0.0, 1.0}


def _row(outcome: Outcome, metrics: Sequence[str], binary: bool) -> list[Any]:
    result: str = outcome.status
    if binary and outcome.status == "ok":
        result = "success" if outcome.metrics[metrics[0]] else "failure"
    lines = outcome.error.strip().splitlines()
    values = [_short(outcome.metrics.get(name)) for name in metrics]
    note = lines[-1][:NOTE_LENGTH] if lines else ""
    seconds, film = round(outcome.wall_time_s, 2), int(_has_video(outcome))
    return [outcome.trial, result, *values, outcome.steps, seconds, outcome.cluster, note, film]


def _has_video(outcome: Outcome) -> bool:
    return any(path.endswith((".mp4", ".webm")) for path in outcome.artifacts.values())


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def _details(outcome: Outcome, links: ArtifactLinks, pages: VideoLinks) -> Mapping[str, Any]:
    found = {name: links.link(path) for name, path in outcome.artifacts.items()}
    return {
        "pages": [list(page) for page in pages],
        "metrics": outcome.metrics,
        "error": outcome.error,
        "seed": str(outcome.seed),
        "details": outcome.details,
        "artifacts": [[name, link] for name, link in found.items() if link is not None],
        "missing": [name for name, link in found.items() if link is None],
    }
