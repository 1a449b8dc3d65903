"""The front page: ranks without names."""

from __future__ import annotations

from desk import Desk
from visiting import add_result, text_of, visitor

from pentathlon.server.queue.results import anonymous


def test_standings_rank_anonymously_with_ties(desk: Desk) -> None:
    ada, token = desk.account("ada")
    bob, _ = desk.account("bob")
    best, second, third = (add_result(desk, who, grams) for who, grams in ((bob, [9, 9]), (ada, [4, 0]), (bob, [4, 0])))
    with visitor(desk, token) as web:
        shown = text_of(web.get("/").text)
        other = text_of(web.get("/?event=act&challenge=representation").text)
    places = [f"1 {anonymous(best.id)}", f"2= {anonymous(second.id)} yours", f"2= {anonymous(third.id)}"]
    assert all(place in shown for place in places)
    assert shown.index(places[0]) < shown.index(places[1])
    assert "9.0 g" in shown
    assert "50.0 %" in shown
    assert "bob" not in shown
    assert anonymous(best.id) not in other
