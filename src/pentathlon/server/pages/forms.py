"""Reads forms, once it is known who sends them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile

from pentathlon.server.errors import BadRequestError, TooLargeError

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
        TooLargeError: before it is read, when it is longer.
        BadRequestError: when it does not say.
    """
    declared = request.headers.get("content-length", "")
    if not declared.isdigit():
        raise BadRequestError("Expected a form that says how long it is, got none.")
    if int(declared) > limit_bytes:
        raise TooLargeError(f"The form is larger than {limit_bytes / 2**20:.3g} MiB, the most this server takes.")
    async with request.form(max_files=1, max_fields=20, max_part_size=FORM_BYTES) as form:
        yield form


def validate(form: FormData, shape: type[Shape]) -> Shape:
    """Checks the text fields of a form; empty ones count as left out."""
    fields = {name: value for name, value in form.items() if not isinstance(value, UploadFile) and value != ""}
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadRequestError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}.") from error
