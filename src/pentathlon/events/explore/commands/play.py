"""``pentathlon explore play``: explore and answer yourself, on a page of this machine; it is recorded as any run."""

from __future__ import annotations

import re
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, Task, TaskEntry, UsageError, content_hash, match_tasks
from pentathlon.core.registry import EntrantEntry

TOLD = ("exqa", "acc_exp", "acc_ref", "t3_steps")
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Play:
    """Explore a house yourself, answer, return and answer again; the same command goes on where you stopped.

    The page opens in a browser. What you do is recorded as a run of person-NAME, so that standings, reports, `study
    explore` and `explore fit-k` know it.
    """

    name: Annotated[str, tyro.conf.arg(name="as")] = "anybody"
    """Who you are: small letters, digits and dashes."""
    task: str = "explore/architect-v1"
    """A task of explore."""
    trial: tuple[str, ...] = ()
    """Houses, such as architect-studio; the first that you have not played where none is named."""
    replay: bool = False
    """See again what you saw while you answer, as in the paper's second kind of people; a run of its own."""
    px: int | None = None
    """Width and height of the pictures in place of the task's; a protocol variant with its own run folder."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    port: int = 0
    """Of the page; 0 takes a free one."""
    browser: bool = True
    """Open the page in a browser of this machine."""
    rehearse: bool = False
    """Six steps and three questions, to try it out."""

    def run(self, runs: Runs) -> int:
        """Plays the trials and prints the scores."""
        from pentathlon.events.explore.people.person import GROUPS, PersonAgent
        from pentathlon.models.person import Desk

        task = self._task()
        overrides = {**(task.rehearsal if self.rehearse else {}), **({} if self.px is None else {"size_px": self.px})}
        entrant = f"person-{self.name}" + ("-replay" if self.replay else "")
        made = task.make(**overrides)
        protocol = content_hash(made.protocol)
        trials = self.trial or self._next(made, runs, entrant, protocol)
        with Desk(f"Explore, as {self.name}", GROUPS, self.port) as desk, ThreadPoolExecutor(1) as beside:
            person = PersonAgent(desk, self.name, self.out / ".people" / entrant / protocol, replay=self.replay)
            entry = EntrantEntry(entrant, "agent", "a person", f"{type(person).__module__}:{type(person).__name__}")
            print(f"Your page: {desk.url}   (Ctrl-C, or its button, stops; the same command goes on)", flush=True)
            if self.browser:
                webbrowser.open(desk.url)
            # Beside this thread, so that Ctrl-C here ends the wait for a person there.
            record = beside.submit(
                runs.run,
                *(task, entry, self.out, overrides, RunSettings(workers=1)),
                only=trials,
                built=person,
            )
            try:
                found = record.result()
            except KeyboardInterrupt:
                desk.leave()
                raise
        for trial, outcome in sorted(found.outcomes.items()):
            print(f"{trial}: " + ", ".join(f"{name} {outcome.metrics.get(name, 0.0):.3g}" for name in TOLD))
        print(f"  Folder: {found.folder}")
        return 0

    def _next(self, task: Task, runs: Runs, entrant: str, protocol: str) -> tuple[str, ...]:
        records = [record for record in runs.find(self.out, {protocol}) if record.entrant == entrant]
        played = {trial for record in records for trial in record.outcomes}
        left = [trial for heat in task.heats() for trial in heat.trials if trial not in played]
        if not left:
            raise UsageError(
                f"Expected a house that {self.name} has not played, got none in {self.task}. Take another: --task"
            )
        return (left[0],)

    def _task(self) -> TaskEntry:
        if not NAME.fullmatch(self.name):
            raise UsageError(f"Expected a name of small letters, digits and dashes, got {self.name!r}. Change: --as")
        found = match_tasks([self.task])
        if len(found) != 1 or found[0].event != "explore":
            raise UsageError(f"Expected one task of explore, such as explore/architect-v1, got {self.task!r}.")
        return found[0]
