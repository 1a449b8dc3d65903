"""Titles and names: nothing invisible in them, and no two accounts that differ in case alone."""

from __future__ import annotations

import pytest
from desk import Desk

from pentathlon.server.api.schemas import normalised

BOARD = "task=act/pour-sprint-v1"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("My\u2028best \u2029 one", "My best one"),
        ("\u202etxt.exe\u202c", "txt.exe"),
        ("a\u200bb\ufeff\u2066c\u00add", "abcd"),
        ("  Zoe\u0308  ", "Zo\u00eb"),
        ("\U0010ffff\ue000", ""),
        ("\u3164\u2800\u115f \uffa0", ""),
        ("Z" + "\u0335" * 30 + "a", "Z" + "\u0335" * 4 + "a"),
        ("\u6c34 \u0639\u0631\u0628\u064a \U0001f916", "\u6c34 \u0639\u0631\u0628\u064a \U0001f916"),
    ],
)
def test_titles_are_written_in_one_way(title: str, shown: str) -> None:
    assert normalised(title) == shown


def test_titles_and_labels_are_normalised_on_their_way_in(desk: Desk) -> None:
    with desk.web(desk.account("ada")[1]) as web:
        made = web.post(f"/api/submissions?{BOARD}&title=a%E2%80%AEb%E2%80%A8c", content=b"x").json()
        assert made["title"] == "ab c"
        web.post("/api/account/tokens", json={"label": "a\u202eb"})
        assert [token["label"] for token in web.get("/api/account/tokens").json()][-1] == "ab"


def test_names_that_differ_in_case_are_one(desk: Desk) -> None:
    with desk.web(desk.account("boss", role="operator")[1]) as web:
        made = web.post("/api/accounts", json={"name": "Ada"})
        assert (made.status_code, made.json()["account"]["name"]) == (201, "ada")
        taken = web.post("/api/accounts", json={"name": "aDA"})
        assert (taken.status_code, "is taken" in taken.json()["error"]) == (409, True)
