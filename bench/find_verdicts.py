"""What runs of find say about the paper's findings: scores, how trials end, and differences on the same trials.

    python bench/find_verdicts.py runs [--csv rows.csv]

Of several builds of an entrant the one that was run furthest counts. Differences are paired: on the same trials where
both have them (the same targets and starts), otherwise by the houses' means.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pentathlon.core import Outcome
from pentathlon.core.numbers import number
from pentathlon.engine import list_runs
from pentathlon.events.find.episodes.records import CAPABILITIES
from pentathlon.events.find.metrics import ENDINGS, SPL, SUCCESS, ending
from pentathlon.stats import score_outcomes
from pentathlon.stats.paired import paired_difference

Runs = Mapping[tuple[str, str], Mapping[str, Outcome]]
"""Outcomes by trial, by entrant and capability."""

EVERYTHING = tuple(name for name in CAPABILITIES if name != "objectnav-large")
PASTURE = EVERYTHING[1:]
SIX = tuple(name for name in PASTURE if name != "pasture-uncommon")
COLUMNS = ("entrant", "task", "house", "trial", "success", "spl", "steps", "failure", "seen_step", "ending", "device")
ENTRANT_PAIRS = (
    ("cow-centre", "cow"),
    ("cow", "cow-learned"),
    ("cow", "cow-random"),
    ("cow-learned", "cow-random"),
    ("find-oracle-explorer", "cow"),
    ("find-true-masks", "find-learned-true-masks"),
    ("find-true-masks", "find-random-true-masks"),
    ("find-learned-true-masks", "find-random-true-masks"),
    ("find-true-masks", "cow"),
    *((f"cow-centre@clip-{kind}:builtin", f"cow@clip-{kind}:builtin") for kind in ("patch", "grad", "ref")),
    *((f"cow-centre@clip-{kind}:builtin", f"cow-centre@clip-{kind}-photo:builtin") for kind in ("patch", "grad")),
    *(("cow-centre", f"cow-centre@clip-{kind}:builtin") for kind in ("patch", "grad", "ref")),
)
CAPABILITY_PAIRS = (
    ("pasture-uncommon", "objectnav"),
    ("pasture-appearance", "objectnav"),
    ("pasture-space", "objectnav"),
    ("pasture-appearance", "pasture-space"),
    ("pasture-appearance-distract", "pasture-appearance"),
    ("pasture-space-distract", "pasture-space"),
    ("pasture-appearance-distract", "pasture-space-distract"),
    ("pasture-hidden", "objectnav"),
    ("pasture-hidden-distract", "pasture-hidden"),
)


def read_runs(folders: Sequence[Path]) -> Runs:
    """Reads all runs of find's lite tasks."""
    found: dict[tuple[str, str], Mapping[str, Outcome]] = {}
    for folder in folders:
        for run in list_runs(folder):
            event, _, name = run.info.task.partition("/")
            if event != "find" or "-lite-" not in name:
                continue
            key, outcomes = (run.info.entrant, name.removesuffix("-lite-v1")), run.outcomes()
            if len(outcomes) > len(found.get(key, {})):
                found[key] = outcomes
    return found


def write_rows(path: Path, runs: Runs) -> None:
    """Writes a line for each trial."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for (entrant, capability), outcomes in sorted(runs.items()):
            for outcome in outcomes.values():
                details = outcome.details
                metrics = int(outcome.metrics.get("success", 0)), round(outcome.metrics.get("spl", 0.0), 3)
                ends = details.get("failure") or "none", details.get("seen_step"), ending(outcome)
                device = (details.get("notes") or {}).get("device", "")
                task = f"find/{capability}-lite-v1"
                writer.writerow([entrant, task, outcome.cluster, outcome.trial, *metrics, outcome.steps, *ends, device])


def score_text(outcomes: Iterable[Outcome], spl: bool = False) -> str:
    """Says a score with its interval."""
    scores = score_outcomes((SPL if spl else SUCCESS,), list(outcomes))
    return f"{number(scores[0].value, scores[0].low, scores[0].high)} {scores[0].interval_text}" if scores else "–"


def tell_scores(runs: Runs) -> None:
    """Prints success and SPL by capability, and pooled over six, seven and eight."""
    pools = {"six": SIX, "seven": PASTURE, "all eight": EVERYTHING}
    print(f"| success, % | n | {' | '.join([*CAPABILITIES, *pools])} |\n{'|---' * (len(CAPABILITIES) + 5)}|")
    for entrant in sorted({entrant for entrant, _ in runs}):
        for spl in (False, True):
            own = [runs.get((entrant, name), {}) for name in CAPABILITIES]
            cells = [score_text(found.values(), spl) for found in own]
            for names in pools.values():
                whole = all((entrant, name) in runs for name in names)
                pooled = [one for name in names for one in runs.get((entrant, name), {}).values()] if whole else []
                cells.append(score_text(pooled, spl))
            counts = " ".join(str(len(found)) for found in own)
            print(f"| `{entrant}`{', SPL' if spl else ''} | {counts} | {' | '.join(cells)} |")


def tell_endings(runs: Runs) -> None:
    """Prints how trials end."""
    print(f"\n| ends | {' | '.join(ENDINGS)} |\n{'|---' * (len(ENDINGS) + 1)}|")
    for (entrant, capability), outcomes in sorted(runs.items()):
        ends = [ending(outcome) for outcome in outcomes.values()]
        print(f"| `{entrant}` {capability} | {' | '.join(str(ends.count(name)) for name in ENDINGS)} |")


def difference(a: Mapping[str, Outcome], b: Mapping[str, Outcome], metric: str = "success") -> str:
    """Says how much larger a metric is in ``a`` than in ``b``: on common trials if most are, else by house."""
    common = a.keys() & b.keys()
    if 2 * len(common) >= min(len(a), len(b)):
        values = [{trial: 100 * one.metrics.get(metric, 0.0) for trial, one in side.items()} for side in (a, b)]
        clusters = {trial: str(one.cluster) for trial, one in a.items()}
        found = paired_difference(values[0], values[1], clusters, (0.0, 100.0))
        what = f"{found.n} trials: {found.wins} won, {found.losses} lost"
    elif not {one.cluster for one in a.values()} & {one.cluster for one in b.values()}:
        return "no house in common yet"
    else:
        found = paired_difference(house_means(a, metric), house_means(b, metric), bounds=(0.0, 100.0))
        what = f"{found.n} houses' means"
    low, high = found.interval[:2]
    return f"{found.difference:+.1f} [{low:.1f}, {high:.1f}] points of {metric}, {what}, p {found.p_value:.3g}"


def house_means(outcomes: Mapping[str, Outcome], metric: str) -> dict[str, float]:
    """The mean of a metric in each house, in percent."""
    values = defaultdict(list)
    for outcome in outcomes.values():
        values[str(outcome.cluster)].append(100 * outcome.metrics.get(metric, 0.0))
    return {house: sum(own) / len(own) for house, own in values.items()}


def pooled(runs: Runs, entrant: str, other: str, names: Sequence[str]) -> dict[str, Outcome]:
    """Trials of an entrant in all capabilities that both have run."""
    both = [name for name in names if (entrant, name) in runs and (other, name) in runs]
    return {f"{name}/{trial}": one for name in both for trial, one in runs[entrant, name].items()}


def tell_differences(runs: Runs) -> None:
    """Prints differences between entrants, and between capabilities."""
    print("\nEntrants")
    for first, second in ENTRANT_PAIRS:
        for what, names in {"objectnav": ("objectnav",), "pasture": PASTURE, "all": EVERYTHING}.items():
            a, b = pooled(runs, first, second, names), pooled(runs, second, first, names)
            if a and b:
                count = len({trial.partition("/")[0] for trial in a})
                print(f"{first} - {second}, {what} ({count}): {difference(a, b)}; SPL {difference(a, b, 'spl')}")
    print("\nCapabilities")
    for entrant in sorted({entrant for entrant, _ in runs}):
        for first, second in CAPABILITY_PAIRS:
            if (entrant, first) in runs and (entrant, second) in runs:
                print(f"{entrant}: {first} - {second}: {difference(runs[entrant, first], runs[entrant, second])}")


def main() -> None:
    """Prints what the runs say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--csv", type=Path, help="file for a line of each trial")
    chosen = parser.parse_args()
    runs = read_runs(chosen.folders)
    if chosen.csv:
        write_rows(chosen.csv, runs)
    tell_scores(runs)
    tell_endings(runs)
    tell_differences(runs)


if __name__ == "__main__":
    main()
