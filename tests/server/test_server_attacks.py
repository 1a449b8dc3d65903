"""Hostile submissions to a running server: each ends once with its reason in the log, and the server keeps serving.

``bench/server_attacks.py`` hands in all of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from siege import Pulse, besieged, good_entry, hostile_archive

from pentathlon.server.sandbox import sandbox_problem

pytestmark = [
    pytest.mark.skipif(sandbox_problem() is not None, reason=str(sandbox_problem())),
    pytest.mark.xdist_group("live server"),
]

AT_THE_CLERK = ("forged_result", "memory_bomb_in_children")
AT_A_ROBOT = ("read_other_uploads", "kill_parent", "thread_bomb", "bad_actions: outside the range")
ARCHIVES = ("zip climbs out", "tar links and writes through")


def test_attacks_end_clearly_and_the_server_keeps_serving(tmp_path: Path) -> None:
    with besieged(tmp_path) as siege, Pulse(siege.server) as pulse:
        entries = [siege.attack(title) for title in AT_THE_CLERK]
        entries += [hostile_archive(title, tmp_path) for title in ARCHIVES]
        entries += [siege.attack(title, asleep=True) for title in AT_A_ROBOT]
        ended = siege.hand_in([*entries, good_entry()], users=3)
        assert siege.problems(ended, pulse) == []
    assert len(ended) == len(entries) + 1
    assert len(pulse.answers_s) > 5
