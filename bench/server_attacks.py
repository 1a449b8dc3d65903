"""Whether a running server withstands every hostile agent and archive of the test suite.

``python bench/server_attacks.py [USERS]``: ordinary users hand in each hostile agent twice, once as it is, so that it
meets the clerk's check, and once asleep, so that it passes the check and attacks the process of a robot; each hostile
archive once; and good agents between them. Then the web itself is attacked (``web_attacks.py``). The web, the clerk and
two stand-in robots run as ever, with short limits for agents. Prints how each submission ended, then what was wrong;
ends with status 1 when anything was.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))

from hostile_agents import SUITE  # type: ignore[import-not-found]
from hostile_archives import HOSTILE_ARCHIVES  # type: ignore[import-not-found]
from siege import (  # type: ignore[import-not-found]
    Ended,
    Entry,
    Pulse,
    Siege,
    besieged,
    good_entry,
    hostile_archive,
    yaml_bomb,
)
from web_attacks import web_problems  # type: ignore[import-not-found]

GOOD_EVERY = 10
LONGEST_LINE = 150


def all_entries(siege: Siege, folder: Path) -> list[Entry]:
    """Every attack, with a good agent after every few; the kinds are mixed, so that all parts are attacked at once."""
    agents = [siege.attack(title) for title in SUITE]
    sleepers = [siege.attack(title, asleep=True) for title, hostile in SUITE.items() if hostile.can_sleep]
    archives = [hostile_archive(title, folder) for title in HOSTILE_ARCHIVES]
    hostile = [*agents, yaml_bomb(), *sleepers, *archives]
    np.random.default_rng(0).shuffle(hostile)
    entries: list[Entry] = []
    for number, entry in enumerate(hostile):
        entries += [good_entry(), entry] if number % GOOD_EVERY == 0 else [entry]
    return entries


def report(ended: Sequence[Ended], pulse: Pulse, wall_time_s: float) -> None:
    """Prints a line for each submission and what the polls took."""
    for each in sorted(ended, key=lambda each: (each.state, each.entry.title)):
        print(f"{each.entry.title:43} {each.state:9} {each.conclusion[:LONGEST_LINE]}")
    states = Counter((each.entry.title == "good", each.state) for each in ended)
    counted = ", ".join(f"{number} {'good' if good else 'hostile'} {state}" for (good, state), number in states.items())
    print(f"{len(ended)} submissions of {len({each.user for each in ended})} users: {counted}")
    p50, p95, most = (1000 * np.quantile(pulse.answers_s, share) for share in (0.5, 0.95, 1.0))
    answered = len(pulse.answers_s)
    print(f"health: n={answered} p50 {p50:.1f} ms, p95 {p95:.1f} ms, most {most:.0f} ms, {len(pulse.failures)} failed")
    print(f"{wall_time_s:.0f} s; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main(users: int) -> int:
    started_s = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with besieged(folder) as siege, Pulse(siege.server) as pulse:
            entries = all_entries(siege, folder)
            ended = siege.hand_in(entries, users)
            problems = web_problems(siege.server) + siege.problems(ended, pulse)
    report(ended, pulse, time.monotonic() - started_s)
    if len(ended) != len(entries):
        problems.append(f"{len(entries)} were handed in, {len(ended)} ended")
    print("\n".join(f"PROBLEM: {problem}" for problem in problems) or "No attack succeeded.")
    return min(len(problems), 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 6))
