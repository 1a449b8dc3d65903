"""``pentathlon check-entrant``: rehearse the folder of an entrant before it is submitted."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

if TYPE_CHECKING:
    from rich.console import Console

    from pentathlon.server.sandbox.kinds.rehearsal import Finding

LAST_LINES = 20


@dataclass(frozen=True)
class CheckEntrant:
    """Rehearse an encoder, agent, policy or judge on made-up questions, in the sandbox of the real evaluation."""

    entrant: tyro.conf.Positional[Path]
    """Folder of the entrant (entrant.json, or TOTO's hydra.yaml), or the archive to be uploaded."""
    task: str = "act/pour-v1"
    """Id of the task that it is for; the task says of which kind it must be."""
    steps: int = 60
    """Questions in each of two rounds."""
    episode: bool = True
    """Also let a policy run a whole trial of the task on a simulated robot."""
    log: Path | None = None
    """File for what the entrant prints; without it the last lines are shown when a check fails."""
    sandbox: bool = True
    """Run the entrant in this process instead (--no-sandbox): nothing limits it, so only for your own code."""

    def run(self) -> int:
        """Prints a table of findings; status 1 when one of them is a failure."""
        from rich.console import Console

        from pentathlon.core import TASKS, UsageError
        from pentathlon.server.sandbox import Limits
        from pentathlon.server.sandbox.kinds.rehearsal import rehearse

        if not self.entrant.exists():
            raise UsageError(f"There is no {self.entrant}. Give the entrant's folder, or the archive to be uploaded.")
        console = Console()
        task = TASKS.get(self.task).make()
        with tempfile.TemporaryDirectory() as temporary:
            log = self.log or Path(temporary) / "entrant.log"
            findings = []
            for finding in rehearse(
                self.entrant,
                task,
                limits=Limits(),
                log=log,
                steps=self.steps,
                sandboxed=self.sandbox,
                episode=self.episode,
            ):
                findings.append(finding)
                _show(console, finding)
            failed = any(finding.verdict == "fail" for finding in findings)
            if failed and self.log is None and log.exists():
                tail = log.read_text().splitlines()[-LAST_LINES:]
                console.print("The end of the log:", *tail, sep="\n  ", markup=False, highlight=False, soft_wrap=True)
        _conclude(console, failed, self.sandbox)
        return int(failed)


def _show(console: Console, finding: Finding) -> None:
    colours = {"pass": "green", "warn": "yellow", "fail": "red"}
    mark = f"[{colours[finding.verdict]}]{finding.verdict}[/]"
    console.print(f"{mark}  {finding.check:<20}", end="")
    console.print(finding.text, markup=False, highlight=False, soft_wrap=True)


def _conclude(console: Console, failed: bool, sandboxed: bool) -> None:
    if failed:
        console.print("The entrant would not be evaluated.")
    elif sandboxed:
        console.print("The entrant can be submitted. Next: pentathlon submit")
    else:
        console.print("The entrant works outside of the sandbox; it was not tested whether it does inside.")
