"""Who plays: one player for each simulated robot of the server, and one bench for each player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import FastAPI

from pentathlon.server.errors import ConflictError, TooManyError
from pentathlon.server.queue.tables import Account
from pentathlon.server.robots.drivers import SIMULATED
from pentathlon.server.settings import ServerSettings


class Seats:
    """Counts the players; used from the event loop only."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._players: set[str] = set()

    @property
    def free(self) -> int:
        """Seats that nobody has."""
        return self.total - len(self._players)

    @contextmanager
    def take(self, account: Account) -> Iterator[None]:
        """Holds a seat.

        Raises:
            ConflictError: when the account plays already.
            TooManyError: when all seats are taken.
        """
        if account.id in self._players:
            raise ConflictError("You are playing already, in another window; close it first.")
        if self.free < 1:
            raise TooManyError(
                f"All simulated robots are being played with ({self.total}); try again in a few minutes."
                if self.total
                else "This server has no simulated robot to play with."
            )
        self._players.add(account.id)
        try:
            yield
        finally:
            self._players.remove(account.id)


def seats_of(app: FastAPI, settings: ServerSettings) -> Seats:
    """The seats of a web process, as many as the server has simulated robots; from the event loop only."""
    if not hasattr(app.state, "play_seats"):
        app.state.play_seats = Seats(settings.drivers.count(SIMULATED))
    seats: Seats = app.state.play_seats
    return seats
