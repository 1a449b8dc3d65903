"""``pentathlon explore play``: explore and answer yourself, on a page of this machine; it is recorded as any run."""

from __future__ import annotations

import re
import webbrowser
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, Task, TaskEntry, UsageError, content_hash, match_tasks
from pentathlon.core.registry import EntrantEntry
from pentathlon.core.runs import RunRecord

if TYPE_CHECKING:
    from pentathlon.events.explore.people.person import PersonAgent
    from pentathlon.models.person import Desk

REPLAY, LONGEST_NAME = "-replay", 40
TOLD = ("exqa", "acc_exp", "acc_ref", "t3_steps")
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Play:
    """Explore a house yourself, answer, return and answer again; the same command goes on where you stopped.

    The page opens in a browser. What you do is recorded as a run of person-NAME, so that standings, reports, `explore
    fit-k` and `study explore --tier full --recorded-only -e person-NAME` know it.
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
        """Plays the trials and prints the scores; the exit status is 1 where one ended in an error."""
        from pentathlon.events.explore.people.person import FACTORY, GROUPS, PersonAgent
        from pentathlon.models.person import Desk

        row, entrant = self._task(), f"person-{self.name}" + (REPLAY if self.replay else "")
        overrides = {**(row.rehearsal if self.rehearse else {}), **({} if self.px is None else {"size_px": self.px})}
        task = row.make(**overrides)
        protocol = content_hash(task.protocol)
        trials = self._trials(task, runs, entrant, protocol)
        entry = EntrantEntry(entrant, "agent", "a person", FACTORY)
        settings = RunSettings(workers=1, retry_errors=1)
        with Desk(f"Explore, as {self.name}", GROUPS, self.port) as desk, ThreadPoolExecutor(1) as beside:
            person = PersonAgent(desk, self.name, self.out / ".people" / entrant / protocol, replay=self.replay)
            desk.tell("The house is being made …")
            print(f"Your page: {desk.url}   (Ctrl-C, or its button, stops; the same command goes on)", flush=True)
            if self.browser:
                webbrowser.open(desk.url)
            # Beside this thread, so that Ctrl-C here ends the wait for a person there.
            run = beside.submit(runs.run, row, entry, self.out, overrides, settings, only=trials, built=person)
            try:
                record = run.result()
            except KeyboardInterrupt:
                print("Stopping; what is under way ends first.", flush=True)
                desk.leave()
                raise
            return self._finish(record, trials, desk, person)

    def _finish(self, record: RunRecord, trials: Sequence[str], desk: Desk, person: PersonAgent) -> int:
        """Prints what was recorded, and drops the choices that led to it."""
        outcomes = [record.outcomes[trial] for trial in trials]
        for outcome in outcomes:
            if outcome.status == "ok":
                person.forget(outcome.seed)
                print(f"{outcome.trial}: " + ", ".join(f"{name} {outcome.metrics[name]:.3g}" for name in TOLD))
            else:
                print(f"{outcome.trial} ended in an error; your choices are kept: {outcome.error.strip()}")
        print(f"  Folder: {record.folder}")
        failed = any(outcome.status != "ok" for outcome in outcomes)
        desk.leave("It ended in an error; see the terminal." if failed else "Recorded. Thank you for playing.")
        return int(failed)

    def _trials(self, task: Task, runs: Runs, entrant: str, protocol: str) -> tuple[str, ...]:
        """Returns what is to be played: what was named, or the first that was not."""
        records = [record for record in runs.find(self.out, {protocol}) if record.entrant == entrant]
        played = {name for record in records for name, one in record.outcomes.items() if one.status == "ok"}
        known = [trial for heat in task.heats() for trial in heat.trials]
        if strangers := sorted({*self.trial} - {*known}):
            raise UsageError(f"Expected houses of {self.task}, such as {known[0]}, got {', '.join(strangers)}.")
        left = [trial for trial in self.trial or known if trial not in played]
        if not left:
            what = " and ".join(self.trial) or f"a house of {self.task}"
            raise UsageError(f"Expected a house that {self.name} has not played, got {what}, played before.")
        return tuple(left) if self.trial else (left[0],)

    def _task(self) -> TaskEntry:
        if not NAME.fullmatch(self.name) or len(self.name) > LONGEST_NAME or self.name.endswith(REPLAY):
            raise UsageError(
                f"Expected a name of at most {LONGEST_NAME} small letters, digits and dashes that does not end in "
                f"{REPLAY}, got {self.name!r}. Change: --as"
            )
        if self.px is not None and self.px < 1:
            raise UsageError(f"Expected at least one pixel for --px, got {self.px}.")
        found = match_tasks([self.task])
        if len(found) != 1 or found[0].event != "explore":
            raise UsageError(f"Expected one task of explore, such as explore/architect-v1, got {self.task!r}.")
        return found[0]
