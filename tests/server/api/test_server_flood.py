"""A flooded site: however many look at it, whoever shows a token is let in and an operator can stop every arm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import anyio
import pytest
from desk import Desk, DeskMaker
from fastapi.testclient import TestClient
from sqlalchemy import event
from visiting import add_result, text_of, visitor

from pentathlon.server.api.boards import Boards
from pentathlon.server.pages.standings_page import PAGE_ROWS
from pentathlon.server.queue.results import anonymous
from pentathlon.server.queue.tables import RobotRecord


@contextmanager
def flooded(web: TestClient) -> Iterator[None]:
    """Takes every thread and every database connection that visitors can have, as slow views would."""
    assert web.portal is not None

    async def take_threads() -> list[object]:
        limiter = anyio.to_thread.current_default_thread_limiter()
        borrowers = [object() for _ in range(int(limiter.total_tokens))]
        for borrower in borrowers:
            await limiter.acquire_on_behalf_of(borrower)
        return borrowers

    async def give_threads_back(borrowers: list[object]) -> None:
        for borrower in borrowers:
            anyio.to_thread.current_default_thread_limiter().release_on_behalf_of(borrower)

    with ExitStack() as stack:
        pool: Any = web.app.state.office.database.engine.pool  # type: ignore[attr-defined]
        for _ in range(pool.size() + pool._max_overflow):
            stack.enter_context(web.app.state.office.database.engine.connect())  # type: ignore[attr-defined]
        borrowers = web.portal.call(take_threads)
        try:
            yield
        finally:
            web.portal.call(give_threads_back, borrowers)


def orders(desk: Desk) -> list[str]:
    with desk.database.read() as session:
        return [robot.order for robot in session.query(RobotRecord).order_by(RobotRecord.name)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("path", ["/api/robots/robot-2/stop", "/api/robots/stop"])
def test_a_flooded_server_stops_robots(path: str, desk: Desk) -> None:
    _, boss = desk.account("boss", role="operator")
    for name in ("robot-1", "robot-2"):
        desk.add_robot(name=name)
    with desk.web() as web, flooded(web):
        assert web.get("/api/health").json()["robots"] == 2
        answer = web.post(path, headers={"Authorization": f"Bearer {boss}"})
        assert answer.status_code == 200, answer.text
    assert orders(desk) == (["stop", "stop"] if path.endswith("robots/stop") else ["run", "stop"])


@pytest.mark.timeout(60)
def test_a_flooded_site_stops_robots(desk: Desk) -> None:
    _, boss = desk.account("boss", role="operator")
    desk.add_robot()
    with visitor(desk, boss) as web, flooded(web):
        assert web.post("/robots/robot-1/stop", follow_redirects=False).headers["location"] == "/robots/robot-1"
    assert orders(desk) == ["stop"]


def test_all_robots_are_stopped_from_the_list_by_operators_alone(desk: Desk) -> None:
    _, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    for name in ("robot-1", "robot-2"):
        desk.add_robot(name=name, heartbeat_s=4e9)
    with visitor(desk, token) as web:
        assert "Stop" not in web.get("/robots").text
        assert web.post("/robots/stop").status_code == 403
        assert web.post("/api/robots/stop").status_code == 403
    with visitor(desk, boss) as web:
        assert "Stop robot-2 at once" in web.get("/robots").text
        stopped = text_of(web.post("/robots/stop").text)
    assert "Stop robot-2 at once" not in stopped
    assert orders(desk) == ["stop", "stop"]


def test_standings_are_paged(desk_for: DeskMaker) -> None:
    desk = desk_for(unfinished_limit=1000, submissions_per_day=1000)
    ada, token = desk.account("ada")
    entries = [anonymous(add_result(desk, ada, [grams]).id) for grams in range(PAGE_ROWS + 3)]
    for who in ("", token):
        with visitor(desk, who) as web:
            first, second = (web.get(f"/?event=act&challenge=policy&page={page}").text for page in (1, 2))
            beyond = web.get("/?event=act&challenge=policy&page=9").text
        assert [entry for entry in entries if entry in first] == entries[3:]
        assert [entry for entry in entries if entry in second] == entries[:3]
        assert f"{PAGE_ROWS + 3} {entries[0]}" in text_of(second)
        assert 'rel="next"' in first
        assert 'rel="next"' not in second
        assert "No more entries here" in beyond


@pytest.mark.timeout(60)
def test_a_flooded_server_answers_polls(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    with desk.web(token) as web, flooded(web):
        assert web.get(f"/api/submissions/{submission.id}").json()["position"] == 1
        assert web.get("/api/submissions/0123456789abcdef").status_code == 404


@pytest.mark.parametrize("who", ["a stranger", "ada"])
def test_standings_are_made_once_between_results(who: str, desk: Desk) -> None:
    ada, token = desk.account("ada")
    for grams in (1, 2):
        add_result(desk, ada, [grams])
    with visitor(desk, token if who == "ada" else "") as web:
        office = web.app.state.office  # type: ignore[attr-defined]
        boards = Boards(office.database, refresh_s=3600.0)
        object.__setattr__(office, "boards", boards)
        statements: list[str] = []
        event.listen(office.database.engine, "before_cursor_execute", lambda *words: statements.append(words[2]))
        first = web.get("/").text
        asked = len(statements)
        assert asked > 0
        views = {web.get("/").text for _ in range(5)}
        assert (views, len(statements)) == ({first}, asked)
        boards._looked_s = float("-inf")
        assert (web.get("/").text, len(statements)) == (first, asked + 2), "it was looked, and nothing had changed"
        newest = add_result(desk, ada, [3])
        boards._looked_s = float("-inf")
        assert anonymous(newest.id) in web.get("/").text
