"""``pentathlon judge cost``: what a chat model would read, write and cost on tasks, before anything is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from pentathlon.core import Runs, UsageError, match_tasks
from pentathlon.core.numbers import count

if TYPE_CHECKING:
    from pentathlon.events.judge.data.problem_sets import ProblemSet

LETTERS_PER_TOKEN = 4.0
PICTURE_TOKENS = 85
"""Of a picture in low detail, as OpenAI counts them."""
DESCRIBED_TOKENS, MATCHED_TOKENS, SCORED_TOKENS = 45, 90, 12
"""Written for a frame, for a sentence that is matched, and for one that is scored."""


@dataclass(frozen=True)
class Cost:
    """Estimate the questions, tokens and price of a chat judge on tasks; nothing is asked."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Task ids or patterns, such as 'judge/virtual-home-*-lite-v1'."""
    price_in: float = 0.0
    """Price of a million tokens that are read, in your provider's currency."""
    price_out: float = 0.0
    """Price of a million tokens that are written."""
    vista: Path | None = None
    """Folder 'data' of the released ViSTa dataset, for judge/vista-*."""

    def run(self, runs: Runs) -> int:
        """Prints a line per task and their sum."""
        from pentathlon.events.judge.tasks import JudgeTask

        given = {} if self.vista is None else {"vista": str(self.vista.absolute())}
        rows = []
        for row in match_tasks(self.tasks, given):
            task = row.make(**given)
            if not isinstance(task, JudgeTask):
                raise UsageError(f"Expected tasks of judge, got {row.id}.")
            prefixes = task.protocol.prefixes if task.protocol.measure == "progress" else 1
            rows.append((row.id, sum_up([estimate(one, prefixes) for one in task.problem_sets])))
        for name, need in (*rows, ("all", sum_up([need for _, need in rows]))):
            print(f"{name}: {self._line(need)}")
        return 0

    def _line(self, need: Need) -> str:
        price = (need.tokens_in * self.price_in + need.tokens_out * self.price_out) / 1e6
        cost = f", about {price:.2f}" if self.price_in or self.price_out else ""
        return f"{count(need.questions, 'question')}, {need.tokens_in:,} tokens in, {need.tokens_out:,} out{cost}"


@dataclass(frozen=True)
class Need:
    """What is asked, read and written."""

    questions: int
    tokens_in: int
    tokens_out: int


def estimate(problem_set: ProblemSet, prefixes: int = 1) -> Need:
    """Estimates the paper's three messages for every video of a problem set."""
    from pentathlon.models.judges.conversation import PAPERS_FRAMES
    from pentathlon.models.judges.prompts import EXAMPLE, FRAMES, INSTRUCTION, MATCH, SCORE, SYSTEM, class_list

    told = (problem_set.instruction + problem_set.example) or (INSTRUCTION + EXAMPLE)
    described = PAPERS_FRAMES * DESCRIBED_TOKENS
    matched = len(problem_set.descriptions) * MATCHED_TOKENS
    show = _tokens(SYSTEM + FRAMES + told) + PAPERS_FRAMES * PICTURE_TOKENS
    match = _tokens(SYSTEM + MATCH + class_list(problem_set.descriptions)) + described
    score = match + matched + _tokens(SCORE)
    written = described + matched + len(problem_set.descriptions) * SCORED_TOKENS
    videos = len(problem_set.clips) * prefixes
    return Need(3 * videos, (show + match + score) * videos, written * videos)


def sum_up(needs: list[Need]) -> Need:
    """Adds needs up."""
    return Need(
        sum(need.questions for need in needs),
        sum(need.tokens_in for need in needs),
        sum(need.tokens_out for need in needs),
    )


def _tokens(text: str) -> int:
    return round(len(text) / LETTERS_PER_TOKEN)
