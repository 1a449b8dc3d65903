"""What the page of a run knows about its trials: a light row for each, and the rest in files fetched when opened."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from pentathlon.core.trial import Outcome

CHUNK = 100
NOTE_LENGTH = 120
# What a script element or an old JavaScript parser would take for its own.
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


@dataclass(frozen=True)
class ArtifactLinks:
    """Where a page finds the artifacts of a run.

    Attributes:
        run: the run folder.
        page: the folder of the page.
        copies: folder to copy artifacts into; ``None`` links to them where they lie.
    """

    run: Path
    page: Path
    copies: Path | None

    def link(self, artifact: str) -> str | None:
        """Returns the address relative to the page; ``None`` when the file is missing or outside the run folder."""
        source = (self.run / artifact).resolve()
        if not source.is_relative_to(self.run.resolve()) or not source.is_file():
            return None
        if self.copies is None:
            target = self.run / artifact
        else:
            target = self.copies / source.relative_to(self.run.resolve())
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        return quote(PurePosixPath(os.path.relpath(target.resolve(), self.page.resolve())).as_posix())


def script_json(value: Any) -> Markup:
    """Writes ``value`` as JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPES))


def listing(outcomes: Sequence[Outcome], metrics: Sequence[str]) -> dict[str, Any]:
    """Returns the trial list: column titles, one short row per trial and which of them have a video."""
    binary = _is_binary(outcomes, metrics)
    return {
        "chunk": CHUNK,
        "results": ["success", "failure", "error"] if binary else ["ok", "error"],
        "columns": ["trial", "result", *metrics, "steps", "seconds", "cluster", "note"],
        "rows": [_row(outcome, metrics, binary) for outcome in outcomes],
        "films": [index for index, outcome in enumerate(outcomes) if _has_video(outcome)],
    }


def metric_names(outcomes: Sequence[Outcome], first: Sequence[str]) -> list[str]:
    """Names every metric that a trial reports: ``first`` ones in their order, then the others sorted."""
    reported = {name for outcome in outcomes for name in outcome.metrics}
    return [name for name in first if name in reported] + sorted(reported - set(first))


def chunks(outcomes: Sequence[Outcome], links: ArtifactLinks) -> list[str]:
    """Returns scripts, each of which hands the details of ``CHUNK`` trials to the page."""
    scripts = []
    for start in range(0, len(outcomes), CHUNK):
        trials = [_details(outcome, links) for outcome in outcomes[start : start + CHUNK]]
        scripts.append(f"receiveTrials({start // CHUNK},{script_json(trials)});\n")
    return scripts


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
    return [outcome.trial, result, *values, outcome.steps, round(outcome.wall_time_s, 2), outcome.cluster, note]


def _has_video(outcome: Outcome) -> bool:
    return any(path.endswith((".mp4", ".webm")) for path in outcome.artifacts.values())


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def _details(outcome: Outcome, links: ArtifactLinks) -> Mapping[str, Any]:
    found = {name: links.link(path) for name, path in outcome.artifacts.items()}
    return {
        "metrics": outcome.metrics,
        "error": outcome.error,
        "seed": str(outcome.seed),
        "details": outcome.details,
        "artifacts": [[name, link] for name, link in found.items() if link is not None],
        "missing": [name for name, link in found.items() if link is None],
    }
