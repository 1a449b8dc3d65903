"""Reads forms, once it is known who sends them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from pentathlon.server.errors import BadRequestError, TooLargeError
from pentathlon.server.queue.uploads import cannot_store
from pentathlon.server.sizes import MEBIBYTE

Shape = TypeVar("Shape", bound=BaseModel)

FORM_BYTES = 64 * 1024


async def read_form(request: Request, shape: type[Shape]) -> Shape:
    """Reads a small form as ``shape``.

    Raises:
        BadRequestError: naming the first field that is wrong.
    """
    async with open_form(request, FORM_BYTES) as form:
        return validate(form, shape)


@asynccontextmanager
async def open_form(request: Request, limit_bytes: int) -> AsyncIterator[FormData]:
    """Opens a form of at most ``limit_bytes`` with at most one file; browsers always say how long it is.

    Raises:
        TooLargeError: before it is read, when it says that it is longer; as soon as it is seen, when it does not.
        BadRequestError: when it does not say how long it is, or breaks off.
        UnavailableError: when the disk fails.
    """
    declared = request.headers.get("content-length", "")
    if not declared.isdigit():
        raise BadRequestError("Expected a form that says how long it is, got none.")
    if int(declared) > limit_bytes:
        raise _too_large(limit_bytes)
    body = _Counted(request.receive, limit_bytes)
    try:
        form = await Request(request.scope, body).form(max_files=1, max_fields=20, max_part_size=FORM_BYTES)
    except HTTPException:
        if body.left_bytes < 0:
            raise _too_large(limit_bytes) from None
        raise
    except ClientDisconnect:
        raise BadRequestError("The form broke off; send it again.") from None
    except OSError as error:
        raise cannot_store(error) from error
    try:
        yield form
    finally:
        await form.close()


class _Counted:
    """A body that ends with an error as soon as it is longer than allowed."""

    def __init__(self, receive: Receive, limit_bytes: int) -> None:
        self._receive = receive
        self.left_bytes = limit_bytes

    async def __call__(self) -> Message:
        message = await self._receive()
        self.left_bytes -= len(message.get("body", b""))
        if self.left_bytes < 0:
            # The one error after which the parser removes what it has put on disk.
            raise MultiPartException("The form is too large.")
        return message


def _too_large(limit_bytes: int) -> TooLargeError:
    return TooLargeError(f"The form is larger than {limit_bytes / MEBIBYTE:.3g} MiB, the most this server takes.")


def validate(form: FormData, shape: type[Shape]) -> Shape:
    """Checks the text fields of a form; empty ones count as left out."""
    fields = {name: value for name, value in form.items() if not isinstance(value, UploadFile) and value != ""}
    return as_shape(fields, shape)


def as_shape(fields: Mapping[str, object], shape: type[Shape]) -> Shape:
    """Checks fields.

    Raises:
        BadRequestError: naming the first one that is wrong.
    """
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadRequestError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}.") from error
