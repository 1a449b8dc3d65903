"""Hostile submissions to a running server: each ends once with its reason in the log, and the server keeps serving.

``bench/server_attacks.py`` hands in all of them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from siege import Ended, Entry, Pulse, besieged, good_entry, hostile_archive
from web_attacks import web_problems

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]

AT_THE_CLERK = ("forged_result", "memory_bomb_in_children", "kernel_surface")
AT_A_ROBOT = (
    "broken_text",
    "endless_shape",
    "read_other_uploads",
    "kill_parent",
    "thread_bomb",
    "many_files",
    "bad_actions: outside the range",
)
ARCHIVES = ("zip climbs out", "tar links and writes through")


def test_attacks_end_clearly_and_the_server_keeps_serving(tmp_path: Path) -> None:
    with besieged(tmp_path) as siege, Pulse(siege.server) as pulse:
        entries = [siege.attack(title) for title in AT_THE_CLERK]
        entries += [hostile_archive(title, tmp_path) for title in ARCHIVES]
        entries += [siege.attack(title, asleep=True) for title in AT_A_ROBOT]
        ended = siege.hand_in([*entries, good_entry()], users=3)
        assert web_problems(siege.server) == []
        assert siege.problems(ended, pulse) == []
    assert len(ended) == len(entries) + 1
    assert len(pulse.answers_s) > 5


def test_what_went_wrong_is_seen() -> None:
    entry = Entry("attack", b"", ["refused"], ("too large",))
    log = "[entrant] 2026-01-01 00:00:00 clerk: Refused: forged\n2026-01-01 00:00:00 clerk: Refused: It is too large.\n"
    right = Ended(entry, "ada", "refused", "It is too large.", ["received", "checking", "refused"], log, [])
    assert right.problems(["token"]) == []
    wrong = {
        "state": "finished",
        "reason": "It is too small.",
        "steps": ["received", "checking", "received", "checking", "refused"],
        "log": "SUCCEEDED read: token",
    }
    for field, value in wrong.items():
        assert replace(right, **{field: value}).problems(["token"]), field
