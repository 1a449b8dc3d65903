"""Generates many houses and checks each: no flicker, reachable, nothing amiss, at rest, and every relation true.

    python bench/houses_check.py --houses 1000 --workers 2
    python bench/houses_check.py --houses 100 --rooms 10 --record ten.jsonl

Prints one line per failing house and a summary; exit status 1 if any failed. With a record, the same command goes on
where an earlier one was stopped.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import tyro

from pentathlon.worlds.houses.files.checks import problems
from pentathlon.worlds.houses.graph.completeness import missed_facts
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.graph.truths import false_facts
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.inspection.contacts import overlapping
from pentathlon.worlds.houses.inspection.hold import floating
from pentathlon.worlds.houses.inspection.report import ways_blocked
from pentathlon.worlds.houses.inspection.rest import DRIFT_LIMIT_M, settle
from pentathlon.worlds.houses.inspection.surfaces import flickering
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house
from resuming import resumed


@dataclass(frozen=True)
class Args:
    """What to check."""

    houses: int = 100
    """How many seeds."""
    first: int = 0
    """The first seed."""
    rooms: int | None = None
    """Rooms of each house; drawn from its seed when not given."""
    workers: int = 1
    """Processes."""
    record: Path | None = None
    """File of one line per house that was checked."""


@dataclass
class Finding:
    """What one house showed."""

    seed: int
    faults: list[str] = field(default_factory=list)
    times_s: dict[str, float] = field(default_factory=dict)
    rooms: int = 0
    objects: int = 0
    facts: int = 0
    worst_drift_m: float = 0.0


def examine(seed: int, rooms: int | None) -> Finding:
    finding = Finding(seed)
    clock = time.perf_counter()

    def lap(name: str) -> None:
        nonlocal clock
        now = time.perf_counter()
        finding.times_s[name], clock = now - clock, now

    try:
        house = House.generate(seed, rooms)
        lap("generate")
        finding.rooms, finding.objects = len(house.rooms), len(house.objects)
        finding.faults += [str(problem) for problem in problems(house)]
        finding.faults += flickering(house)
        lap("look")
        scene = compile_house(house)
        lap("compile")
        data = scene.new_data()
        finding.faults += ways_blocked(scene)
        lap("navigate")
        geometry = ObjectGeometry(scene)
        graph = build_graph(scene, data, geometry)
        finding.facts = sum(int(matrix.sum()) for matrix in graph.relations.values())
        finding.faults += [f"false: {fact}" for fact in false_facts(scene, data, graph)]
        finding.faults += [f"missed: {fact}" for fact in missed_facts(scene, data, graph)]
        lap("relate")
        finding.faults += [*overlapping(scene, data, geometry), *floating(scene, data, geometry)]
        lap("inspect")
        drifts = settle(scene, data)
        finding.worst_drift_m = max((drift.distance_m for drift in drifts), default=0.0)
        finding.faults += [
            f"{drift.object} moved {drift.distance_m:.3f} m" for drift in drifts if drift.distance_m > DRIFT_LIMIT_M
        ]
        lap("settle")
    except Exception as error:
        finding.faults.append(f"{type(error).__name__}: {error}")
    return finding


def main() -> int:
    args = tyro.cli(Args)
    start = time.perf_counter()
    seeds = range(args.first, args.first + args.houses)
    findings = list(resumed(partial(examine, rooms=args.rooms), Finding, seeds, args.workers, args.record))
    report(findings, time.perf_counter() - start)
    return int(any(finding.faults for finding in findings))


def report(findings: list[Finding], wall_s: float) -> None:
    for finding in findings:
        for fault in finding.faults[:4]:
            print(f"seed {finding.seed}: {fault}")
    causes = Counter(fault.split("|")[0].split(" ")[0] for finding in findings for fault in finding.faults)
    print(f"faults by first word: {dict(causes.most_common(20))}")
    failed = sum(bool(finding.faults) for finding in findings)
    print(f"houses {len(findings)}  failed {failed}  wall {wall_s:.0f} s")
    for name in ("rooms", "objects", "facts"):
        print(f"{name} per house: mean {np.mean([getattr(finding, name) for finding in findings]):.1f}")
    print(f"worst drift: {max(finding.worst_drift_m for finding in findings):.4f} m")
    for name in ("generate", "look", "compile", "navigate", "relate", "inspect", "settle"):
        times_s = np.array([finding.times_s[name] for finding in findings if name in finding.times_s])
        later_s = times_s[len(times_s) // 2 :]
        print(f"{name}: mean {times_s.mean():.3f} s, second half {later_s.mean():.3f} s ({1 / later_s.mean():.1f}/s)")


if __name__ == "__main__":
    raise SystemExit(main())
