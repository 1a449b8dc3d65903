"""Whose turn it is: start-time fair queueing over accounts.

Every submission gets a number when it enters the queue, and the lowest number runs first. The clock is the highest
number that has started. An account's next submission stands one turn behind its last waiting one, or behind the clock
when none waits, so that many submissions of one account come behind the first ones of others, and yet nobody waits for
ever: the clock moves past every number in time. An account with a share of 2 takes turns of half the length.
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import Account, Submission

TURN = 60
"""Divisible by most shares; 2**31 numbers suffice for thirty million turns."""


def place_in_queue(session: Session, account: Account) -> int:
    """Returns the number of the next submission of ``account``, before it is added."""
    started = select(func.max(Submission.priority)).where(Submission.started_s.is_not(None))
    unfinished = select(func.max(Submission.priority)).where(
        Submission.account_id == account.id, Submission.state.not_in(FINAL)
    )
    return next_place(session.scalar(started) or 0, session.scalar(unfinished), account.share)


def next_place(clock: int, last: int | None, share: int) -> int:
    """Computes a number in the queue.

    Args:
        clock: highest number that has started.
        last: highest number of the account's unfinished submissions, or ``None`` when it has none.
        share: turns that the account gets for one of an ordinary account.
    """
    turn = max(1, TURN // share)
    # One more than a turn, so that a second submission is behind a first one that comes later in the same turn.
    return max(clock, last or 0) + turn + (last is not None)
