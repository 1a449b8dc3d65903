"""Runs a heat of judge: one problem set, or a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pentathlon.core import Heat, Outcome, Workspace
from pentathlon.core.entrants import Judge
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.protocol import JudgeProtocol
from pentathlon.events.judge.trial import run_trial, trial_id


def run_heat(
    protocol: JudgeProtocol, problem_sets: Sequence[ProblemSet], heat: Heat, judge: Judge, workspace: Workspace
) -> Iterator[Outcome]:
    """Runs the heat's trials one after the other; none depends on those before it."""
    known = {trial_id(one): one for one in problem_sets}
    for trial in heat.trials:
        outcome = run_trial(known[trial], judge, protocol, workspace)
        fingerprint = getattr(judge, "fingerprint", None)
        told = {"judge": fingerprint} if isinstance(fingerprint, str) else {}
        yield replace(outcome, details={**outcome.details, **told})
