"""The errors of the server, each with the HTTP status that tells it."""

from __future__ import annotations

from pentathlon.core.errors import PentathlonError


class ServerError(PentathlonError):
    """Something the server was asked cannot be done."""

    status = 400


class BadRequestError(ServerError):
    """The request itself is wrong."""


class NotSignedInError(ServerError):
    """The request needs a token that the server knows."""

    status = 401


class NotAllowedError(ServerError):
    """The account may not do this."""

    status = 403


class NotFoundError(ServerError):
    """There is no such thing, or it belongs to somebody else."""

    status = 404


class ConflictError(ServerError):
    """The thing is in a state that does not allow this."""

    status = 409


class TooLargeError(ServerError):
    """More bytes than the server takes."""

    status = 413


class TooManyError(ServerError):
    """More requests or submissions than one account may have."""

    status = 429


class UnavailableError(ServerError):
    """This server cannot do it now."""

    status = 503
