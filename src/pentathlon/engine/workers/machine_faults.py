"""Tells a failure of the machine from a failure of the model under test."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from pentathlon.core.errors import MachineError

_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.ENOMEM, errno.ENFILE})
# Libraries that are not written in Python pass on the operating system's words without its number.
_WORDS = (os.strerror(errno.ENOSPC), os.strerror(errno.ENOMEM), "can't allocate memory", "out of memory")


def is_machine_fault(error: BaseException) -> bool:
    """Tells whether ``error``, or what it came from, means a full disk, no memory or a broken device."""
    return any(map(_is_fault, _chain(error)))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_fault(error: BaseException) -> bool:
    if isinstance(error, MachineError | MemoryError):
        return True
    if isinstance(error, OSError):
        return error.errno in _ERRNOS
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"OutOfMemoryError", "SafetensorError", "RuntimeError"}) and _says_so(str(error))


def _says_so(text: str) -> bool:
    return any(words in text for words in _WORDS)
