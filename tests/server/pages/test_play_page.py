"""Playing without a browser: seats, strangers, wishes, and benches that end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psutil
import pytest
from desk import Desk
from fastapi.testclient import TestClient
from live_server import await_that
from starlette.websockets import WebSocketDisconnect
from visiting import HERE, text_of, visitor

from pentathlon.server.errors import ConflictError, TooManyError
from pentathlon.server.pages.play import socket
from pentathlon.server.pages.play.seats import Seats
from pentathlon.server.robots.drivers import SIMULATED

BENCH = "pentathlon.server.pages.play.player_bench"


def test_seats_are_one_for_each_simulated_robot_and_player(desk: Desk) -> None:
    ada, bob = (desk.account(name)[0] for name in ("ada", "bob"))
    seats = Seats(1)
    with seats.take(ada):
        assert seats.free == 0
        with pytest.raises(ConflictError), seats.take(ada):
            pass
        with pytest.raises(TooManyError), seats.take(bob):
            pass
    with seats.take(bob):
        pass
    with pytest.raises(TooManyError, match="no simulated robot"), Seats(0).take(ada):
        pass


@pytest.mark.parametrize(
    ("headers", "signed_in", "sentence"),
    [
        ({"Origin": "http://evil.example"}, True, "was not sent from this site"),
        ({"Origin": "http://testserver"}, False, "Sign in to play"),
    ],
)
def test_strangers_do_not_get_at_the_robot(
    desk_for: Callable[..., Desk], headers: dict[str, str], signed_in: bool, sentence: str
) -> None:
    desk = desk_for(drivers=(SIMULATED,))
    _, token = desk.account("ada")
    with (
        visitor(desk, token if signed_in else "") as web,
        web.websocket_connect("/play/socket", headers=headers) as line,
    ):
        assert sentence in line.receive_json()["error"]
        with pytest.raises(WebSocketDisconnect):
            line.receive_json()


@pytest.fixture
def player(desk_for: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Somebody signed in on a server with one simulated robot, whose benches are ended at once."""
    monkeypatch.setattr(socket, "GRACE_S", 0.0)
    desk = desk_for(drivers=(SIMULATED,))
    _, token = desk.account("ada")
    with visitor(desk, token) as web:
        yield web
        await_that(lambda: socket._ending, lambda ending: not ending)


@pytest.mark.parametrize(
    "wish",
    [
        '{"kind": "dance"}',
        "no json",
        '{"kind": "move", "axes": [2, 0, 0, 0, 0]}',
        '{"kind": "move", "axes": [0]}',
        '{"kind": "move", "axes": [NaN, 0, 0, 0, 0]}',
        " " * 2000,
    ],
)
def test_wishes_are_checked_before_the_bench_hears_them(player: TestClient, wish: str) -> None:
    with player.websocket_connect("/play/socket", headers=HERE) as line:
        line.send_text(wish)
        assert "no wish of a player" in line.receive_json()["error"]


def test_an_idle_player_loses_the_seat_and_the_bench_ends(player: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "IDLE_S", 1.0)
    with player.websocket_connect("/play/socket", headers=HERE) as line:
        await_that(benches, bool)
        assert "so the robot was given back" in line.receive_json()["error"]
        with pytest.raises(WebSocketDisconnect):
            line.receive_json()
    assert benches() == []
    assert "1 of 1 simulated robot is free" in text_of(player.get("/play").text)


def test_a_second_window_is_refused_and_a_flood_ends_the_game(player: TestClient) -> None:
    with player.websocket_connect("/play/socket", headers=HERE) as first:
        await_that(benches, bool)
        assert "0 of 1 simulated robot is free" in text_of(player.get("/play").text)
        with player.websocket_connect("/play/socket", headers=HERE) as second:
            assert "You are playing already" in second.receive_json()["error"]
        for _ in range(300):
            first.send_text('{"kind": "finish"}')
        assert "Too many requests" in first.receive_json()["error"]
    assert benches() == []


def test_things_of_the_test_are_not_played_with(player: TestClient) -> None:
    """What is recorded becomes training data, so unseen containers stay unseen."""
    wish = {"kind": "start", "task": "pour", "container": "yellow_tumbler", "material": "beans", "seed": 1}
    with player.websocket_connect("/play/socket", headers=HERE) as line:
        line.send_json({**wish, "location": "front_left"})
        assert "on which policies are tested" in line.receive_json()["error"]
        line.send_json({"kind": "save"})
        assert "no finished episode" in line.receive_json()["error"]


def benches() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if BENCH in child.cmdline()]
