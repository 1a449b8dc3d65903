"""Runs an evaluation and sees to it that the submission is told how it ended, or goes back to its queue."""

from __future__ import annotations

import logging

from sqlalchemy.exc import DBAPIError

from pentathlon.core.errors import MachineError, PentathlonError, RunFolderError
from pentathlon.server.disk import is_full
from pentathlon.server.queue.claims import Claim, ClaimLostError, Claims
from pentathlon.server.workers.evaluation import Evaluation

# How the server is made is nobody's business who submits.
SERVER_FAILED = "The server failed; its operator can see why in its output."

_log = logging.getLogger(__name__)


class BrokenOffError(PentathlonError):
    """An evaluation was broken off from outside; that is nobody's fault who submits."""


def attempt(claims: Claims, claim: Claim, evaluation: Evaluation) -> None:
    """Runs an evaluation to its end, whatever that is.

    Raises:
        BrokenOffError: which its worker knows how to take.
        DBAPIError: when the database stays away.
        Exception: when the disk is full, as :func:`is_full` tells.
    """
    try:
        evaluation.run()
    except ClaimLostError:
        evaluation.log("The submission was cancelled or taken over by another worker.")
    except (BrokenOffError, DBAPIError):
        raise
    except Exception as error:
        if is_full(error):
            raise
        if isinstance(error, PentathlonError) and not isinstance(error, RunFolderError | MachineError):
            evaluation.log(f"Failed: {error}")
            claims.end(claim, "failed", str(error))
        else:
            # A fault of this program: others may try, but not for ever.
            _log.exception("The evaluation of %s failed", claim.submission.id)
            evaluation.log(SERVER_FAILED)
            claims.give_back(claim, f"The server failed ({type(error).__name__}).", fruitless=True)
