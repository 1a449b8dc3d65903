"""What runs of explore say about the paper's findings: Table 2, splits by touch and family, and differences by house.

    python bench/explore_verdicts.py runs [--csv rows.csv] [--figures study] [--asked questions]

Of several builds of an entrant the one that was run furthest counts. Differences are paired, house by house. With
`--asked` the very questions of the trials, as the user's cache keeps them, are answered again by the slow evaluator and
written to a folder for `pentathlon explore statistics`.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core import Outcome
from pentathlon.engine import list_runs
from pentathlon.events.explore.heats import find_house
from pentathlon.events.explore.metrics import asked
from pentathlon.events.explore.protocol import SUITES, Suite, make_protocol, trial_seed
from pentathlon.events.explore.questions.check import complaints
from pentathlon.events.explore.questions.drawing.kept_questions import STORE, Questions
from pentathlon.events.explore.questions.making import HousePart
from pentathlon.events.explore.questions.text_only import asked_by
from pentathlon.events.explore.study import ENTRANTS, all_tables, figures
from pentathlon.stats.intervals import mean_interval
from pentathlon.stats.paired import paired_difference
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house

Runs = Mapping[tuple[str, Suite], Mapping[str, Outcome]]
"""Outcomes by trial, by entrant and set of houses."""
Asked = Mapping[str, Any]
COLUMNS = (
    "entrant", "suite", "house", "questions", "exqa", "acc_exp", "acc_ref", "t3_steps", "coverage", "objects_seen",
    "objects_lifted", "right_touch_exp", "right_touch_ref", "touch_questions", "steps", "wall_s",
)  # fmt: skip
PAIRS = (
    ("explore-language", "explore-random"),
    ("explore-symbolic", "explore-language"),
    ("explore-symbolic", "explore-random"),
    ("explore-qa", "explore-language"),
    ("explore-novelty", "explore-language"),
    ("explore-novelty-qa", "explore-language"),
    ("explore-novelty-qa", "explore-novelty"),
    ("explore-qa", "explore-novelty"),
)
SPLITS: dict[str, Callable[[Asked], bool]] = {
    "all": lambda question: True,
    "needs touch": lambda question: bool(question["needs_touch"]),
    "sight is enough": lambda question: not question["needs_touch"],
}


def read_runs(folders: Sequence[Path], **budgets: Any) -> Runs:
    """Reads runs of the full tier of explore, with its own budgets or others."""
    plain = {suite: msgspec.to_builtins(make_protocol(suite, "full", **budgets)) for suite in SUITES}
    found: dict[tuple[str, Suite], Mapping[str, Outcome]] = {}
    for run in (run for folder in folders for run in list_runs(folder)):
        suite = next((name for name in SUITES if run.info.protocol == plain[name]), None)
        if suite is None:
            continue
        # Built-in weights have names of their own; the same weights by their folder are the same agent.
        entrant = run.info.entrant
        if entrant.startswith("explore-learned@"):
            entrant = f"explore-{Path(entrant.partition('@')[2]).name.removeprefix('explore-')}"
        outcomes = run.outcomes()
        if len(outcomes) > len(found.get((entrant, suite), {})):
            found[entrant, suite] = outcomes
    return found


def write_rows(path: Path, runs: Runs) -> None:
    """Writes a line for each trial."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for (entrant, suite), outcomes in sorted(runs.items()):
            for trial, outcome in sorted(outcomes.items()):
                writer.writerow([entrant, suite, trial, "v2", *_row(outcome)])


def _row(outcome: Outcome) -> Iterator[object]:
    names = ("exqa", "acc_exp", "acc_ref", "t3_steps", "coverage", "objects_seen", "objects_lifted")
    yield from (round(outcome.metrics[name], 4) if name in outcome.metrics else "" for name in names)
    touched = [question["right"] for question in asked([outcome]) if question["needs_touch"]]
    yield from (sum(right[0] for right in touched), sum(right[1] for right in touched), len(touched))
    yield from (outcome.steps, round(outcome.wall_time_s, 1))


def shares(outcomes: Iterable[Outcome], group: Callable[[Asked], bool], phase: int) -> dict[str, tuple[int, int]]:
    """Right answers and questions of a group, by house; phase 0 is after exploring, 1 after the return."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for question in asked(outcomes):
        if group(question):
            counts[str(question["house"])][0] += bool(question["right"][phase])
            counts[str(question["house"])][1] += 1
    return {house: (right, total) for house, (right, total) in counts.items()}


def tell_splits(runs: Runs) -> None:
    """Prints accuracy by touch with intervals over questions, clustered by house."""
    for (entrant, suite), outcomes in sorted(runs.items()):
        for what, group in SPLITS.items():
            own, cells = [question for question in asked(outcomes.values()) if group(question)], []
            for phase in (0, 1) if own else ():
                values = [100.0 * bool(question["right"][phase]) for question in own]
                low, high, _ = mean_interval(values, [str(one["house"]) for one in own], bounds=(0.0, 100.0))
                cells.append(f"{sum(values) / len(values):.1f} [{low:.1f}, {high:.1f}]")
            if cells:
                print(f"{entrant} {suite} ({len(outcomes)}), {what}, n={len(own)}: {' → '.join(cells)}")


def tell_differences(runs: Runs) -> None:
    """Prints differences in accuracy between entrants, over the houses that both have."""
    for suite in SUITES:
        for first, second in PAIRS:
            for what, group in SPLITS.items():
                for phase in (0, 1):
                    a, b = (
                        {house: 100.0 * right / total for house, (right, total) in shares(found, group, phase).items()}
                        for found in (runs.get((name, suite), {}).values() for name in (first, second))
                    )
                    if a.keys() & b.keys():
                        found = paired_difference(a, b, bounds=(0.0, 100.0))
                        low, high, _ = found.interval
                        told = (
                            f"{found.difference:+.1f} [{low:.1f}, {high:.1f}], {found.n} houses, p {found.p_value:.3g}"
                        )
                        print(f"{suite}, {first} - {second}, {what}, phase {'II' if phase == 0 else 'IV'}: {told}")


def tell_guesses(runs: Runs) -> None:
    """Prints what the commonest answers to each kind of question would get right, beside words alone."""
    for suite in SUITES:
        outcomes = runs.get(("explore-language", suite), {})
        if outcomes:
            questions = asked(outcomes.values())
            kinds: dict[str, Counter[str]] = defaultdict(Counter)
            for question in questions:
                kinds[asked_by(question["text"])][question["truth"]] += 1
            common = {kind: counts.most_common(1)[0][0] for kind, counts in kinds.items()}
            gaps = [
                100.0 * (bool(one["right"][0]) - (one["truth"] == common[asked_by(one["text"])])) for one in questions
            ]
            low, high, _ = mean_interval(gaps, [str(one["house"]) for one in questions], bounds=(-100.0, 100.0))
            by_common = [100.0 * (one["truth"] == common[asked_by(one["text"])]) for one in questions]
            told = f"words alone {sum(gaps) / len(gaps):+.1f} [{low:.1f}, {high:.1f}]"
            print(f"{suite}: commonest answers {sum(by_common) / len(by_common):.1f} %, {told} {common}")


def tell_failures(runs: Runs, entrant: str = "explore-symbolic") -> None:
    """Prints wrong answers after the return by family and touch, and errands by how they ended."""
    for suite in SUITES:
        outcomes = list(runs.get((entrant, suite), {}).values())
        wrong = [question for question in asked(outcomes) if not question["right"][1]]
        print(suite, len(wrong), "wrong:", Counter((one["family"], one["needs_touch"]) for one in wrong).most_common())
        for log in ("errands", "return_errands"):
            ends = Counter(
                (str(errand[0]), str(errand[4]))
                for outcome in outcomes
                for errand in outcome.details.get("notes", {}).get(log, ())
            )
            print(suite, log, ends.most_common(12))


def kept(name: str, suite: Suite) -> HousePart | None:
    """Returns the questions of a trial with what the slow evaluator says against them; ``None`` if none is kept."""
    house = find_house(make_protocol(suite, "full"), name)

    def none() -> Questions:
        raise LookupError(name)

    try:
        questions = STORE.open(house, trial_seed(house.name), 20, none)
    except LookupError:
        return None
    scene = compile_house(house, switchable=False)
    data, geometry = scene.new_data(), ObjectGeometry(scene)
    found = tuple(complaints(house, build_graph(scene, data, geometry), questions))
    place = int(name.removeprefix("house-")) if suite == "generated" else sum(map(ord, name))
    things = len(house.objects)
    return HousePart(split="test", index=place, house=name, things=things, questions=questions, complaints=found)


def write_asked(folder: Path, runs: Runs) -> None:
    """Writes a file for each house whose questions are kept, and prints complaints."""
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted({(suite, trial) for (_, suite), outcomes in runs.items() for trial in outcomes})
    for suite, name in names:
        path = folder / f"test-{name}.json"
        if not path.exists() and (part := kept(name, suite)) is not None:
            path.write_bytes(msgspec.json.encode(part, order="deterministic"))
            print(name, len(part.questions), "questions", *part.complaints, flush=True)


def main() -> None:
    """Prints what the runs say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--explore-steps", type=int, help="as in `pentathlon run`; another protocol's runs")
    parser.add_argument("--reentry-steps", type=int)
    parser.add_argument("--explore-px", type=int)
    parser.add_argument("--csv", type=Path, help="file for a line of each trial")
    parser.add_argument("--figures", type=Path, help="folder for the figures of `pentathlon study explore`")
    parser.add_argument("--asked", type=Path, help="folder for the questions, answered a second time")
    chosen = parser.parse_args()
    budgets = {"steps": chosen.explore_steps, "reentry_steps": chosen.reentry_steps, "size_px": chosen.explore_px}
    runs = read_runs(chosen.folders, **budgets)
    recorded = {key: tuple(outcomes.values()) for key, outcomes in runs.items()}
    print(all_tables(ENTRANTS, recorded))
    for tell in (tell_splits, tell_differences, tell_guesses, tell_failures):
        tell(runs)
    if chosen.csv:
        write_rows(chosen.csv, runs)
    if chosen.figures:
        chosen.figures.mkdir(parents=True, exist_ok=True)
        for name, content in figures(ENTRANTS, recorded).items():
            (chosen.figures / name).write_text(content, encoding="utf-8")
    if chosen.asked:
        write_asked(chosen.asked, runs)


if __name__ == "__main__":
    main()
