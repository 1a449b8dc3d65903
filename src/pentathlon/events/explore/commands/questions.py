"""``pentathlon explore check``, ``statistics``, ``text-only`` and ``balance``: what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core.runs import Runs
from pentathlon.worlds.houses.splits import Split


@dataclass(frozen=True)
class Check:
    """Generate the questions of houses and answer each a second time, by a slow evaluator over the scene graph.

    The same command again goes on where it stopped.
    """

    out: Annotated[Path, tyro.conf.Positional]
    """Folder for a file of each house."""
    split: Split = "test"
    """Whose houses."""
    first: int = 0
    """Place of the first house in its split."""
    houses: int = 100
    """How many."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Processes; 0 takes one per core. The files do not depend on it."""

    def run(self, runs: Runs) -> int:
        """Prints every complaint; 1 where there is one."""
        from pentathlon.events.explore.questions.making import make_houses

        indices = range(self.first, self.first + self.houses)
        parts = make_houses(self.out, self.split, indices, runs.pool(self.workers))
        found = [line for part in parts for line in part.complaints]
        for line in found:
            print(line)
        questions = sum(len(part.questions) for part in parts)
        bare = [part.house for part in parts if not part.questions]
        print(f"{self.split}: {questions} questions about {len(parts) - len(bare)} houses, {len(found)} complaints")
        if bare:
            print(f"too bare to ask about: {', '.join(bare)}")
        return 1 if found else 0


@dataclass(frozen=True)
class Statistics:
    """Tell how questions that `explore check` wrote are distributed, beside Table 1 of the paper."""

    folder: Annotated[Path, tyro.conf.Positional]
    """Where they are."""
    split: Split = "test"
    """Which of them."""

    def run(self, runs: Runs) -> int:
        """Prints the table."""
        from pentathlon.events.explore.questions.making import read_parts
        from pentathlon.events.explore.questions.statistics import table

        for line in table(read_parts(self.folder, self.split)):
            print(line)
        return 0


@dataclass(frozen=True)
class TextOnly:
    """Fit a model of words on questions about training houses, and ask it about houses that it never saw."""

    folder: Annotated[Path, tyro.conf.Positional]
    """Where `explore check` wrote the questions of houses of both splits."""
    train: Split = "train"
    """Split to fit on."""
    test: Split = "test"
    """Split to answer."""
    save: Path | None = None
    """Write the fitted model to this file."""

    def run(self, runs: Runs) -> int:
        """Prints how often the commonest answer and the model are right, in all and by family."""
        from pentathlon.events.explore.questions.making import all_questions, read_parts
        from pentathlon.events.explore.questions.statistics import guessed, text_only_lines
        from pentathlon.events.explore.questions.text_only import TextOnly as Model

        train = list(all_questions(read_parts(self.folder, self.train)))
        tests = read_parts(self.folder, self.test)
        for line in text_only_lines(guessed(train, tests), len(train)):
            print(line)
        if self.save is not None:
            self.save.write_bytes(Model.fit(train).to_json())
        return 0


@dataclass(frozen=True)
class Balance:
    """Fit what the words of yes-no questions give away, on training houses; generation then evens it out."""

    out: Annotated[Path, tyro.conf.Positional]
    """Folder for a sample of each house, and for balance.json."""
    houses: int = 200
    """Training houses."""
    per_house: int = 120
    """Questions about each."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Processes; 0 takes one per core."""

    def run(self, runs: Runs) -> int:
        """Writes balance.json."""
        from pentathlon.events.explore.questions.balance import FILE, fit_balance
        from pentathlon.events.explore.questions.making import make_samples

        samples = make_samples(self.out, range(self.houses), self.per_house, runs.pool(self.workers))
        rows = [row for sample in samples for row in sample.rows]
        balance = fit_balance([traits for traits, _ in rows], [answer for _, answer in rows])
        (self.out / FILE).write_bytes(balance.to_json())
        print(f"{len(rows)} questions, {len(balance.weights)} weights: {self.out / FILE}")
        return 0
