"""Answers of chat models, kept under the hash of what was asked, so that nothing is asked or paid twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs

from pentathlon.core.identity import content_hash
from pentathlon.storage.files import write_durably

Ending = Literal["whole", "cut short", "refused"]


@dataclass(frozen=True)
class Answer:
    """What a model said.

    Attributes:
        ending: ``cut short`` at the longest length, ``refused`` by the model or the provider's filter.
        tokens_in: as the provider counted them; 0 when it did not.
        seconds: from the first try to the answer.
        tries: how often it was asked for, failures of the line included.
    """

    text: str
    ending: Ending = "whole"
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    tries: int = 1


def default_folder() -> Path:
    """The user's cache folder for answers."""
    return Path(platformdirs.user_cache_dir("pentathlon")) / "answers"


class AnswerStore:
    """Answers by what was asked; any number of processes may read and write at once."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = default_folder() if folder is None else folder

    def get(self, key: str) -> Answer | None:
        """Returns the answer kept under ``key``; a damaged file counts as none."""
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=Answer)
        except (OSError, msgspec.DecodeError):
            return None

    def put(self, key: str, answer: Answer) -> None:
        """Keeps an answer, on disk when this returns."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, msgspec.json.encode(answer))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def question_key(model: str, api_base: str, settings: Any, messages: Sequence[Any], attempt: int) -> str:
    """Names a question by all that the answer depends on; ``attempt`` tells several samples of one question apart."""
    return content_hash([model, api_base, settings, list(messages), attempt], length=64)
