"""``pentathlon check-agent``: rehearse an agent before it is submitted."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import tyro

from pentathlon.core import Tier

if TYPE_CHECKING:
    from rich.console import Console

    from pentathlon.server.sandbox.rehearsal import Finding

LAST_LINES = 20


@dataclass(frozen=True)
class CheckAgent:
    """Rehearse an agent on a stub of the robot, in the same sandbox as the real evaluation."""

    agent: tyro.conf.Positional[Path]
    """Agent folder (agent.json, or TOTO's hydra.yaml), or the archive to be uploaded."""
    task: Literal["pour", "scoop"] = "pour"
    """What it is to do."""
    tier: Tier = "full"
    """Protocol whose camera it sees."""
    steps: int = 60
    """Predictions in each of two episodes."""
    log: Path | None = None
    """File for what the agent prints; without it the last lines are shown when a check fails."""
    sandbox: bool = True
    """Run the agent in this process instead (--no-sandbox): nothing limits it, so only for your own code."""

    def run(self) -> int:
        """Prints a table of findings; status 1 when one of them is a failure."""
        from rich.console import Console

        from pentathlon.core import UsageError
        from pentathlon.events.act.protocol import make_protocol
        from pentathlon.server.sandbox import Limits
        from pentathlon.server.sandbox.rehearsal import rehearse

        if not self.agent.exists():
            raise UsageError(f"There is no {self.agent}. Give the agent's folder, or the archive to be uploaded.")
        console = Console()
        spec = make_protocol(self.task, self.tier).spec
        with tempfile.TemporaryDirectory() as temporary:
            log = self.log or Path(temporary) / "agent.log"
            findings = []
            for finding in rehearse(
                self.agent, spec, limits=Limits(), log=log, steps=self.steps, sandboxed=self.sandbox
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
        console.print("The agent would not be evaluated.")
    elif sandboxed:
        console.print("The agent can be submitted. Next: pentathlon submit")
    else:
        console.print("The agent works outside of the sandbox; it was not tested whether it does inside.")
