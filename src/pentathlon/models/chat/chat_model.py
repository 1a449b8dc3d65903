"""Asks a chat model: remembered answers first, then the provider, patiently, and never beyond the cost limit."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pentathlon.core.errors import EntrantError, MachineError, MissingDependencyError, UsageError
from pentathlon.models.chat.answers import Answer, AnswerStore, Ending, question_key
from pentathlon.models.chat.ledger import Ledger
from pentathlon.models.chat.messages import Message

if TYPE_CHECKING:
    import openai

KEY_VARIABLE = "PENTATHLON_API_KEY"
OPENAI_BASE = "https://api.openai.com/v1"
LONGEST_WAIT_S = 60.0
# Another answer may come a little later: too many requests, a busy server, a broken line.
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)


@dataclass(frozen=True)
class ChatSettings:
    """How to ask; all but the patience changes the answer and is part of its key.

    Attributes:
        most_tokens: longest answer.
        timeout_s: of one try.
        tries: before an answer is given up.
        per_minute: most questions a minute by this process.
    """

    temperature: float = 0.0
    most_tokens: int = 2500
    timeout_s: float = 120.0
    tries: int = 6
    per_minute: float = 600.0


class ChatModel:
    """One model at one endpoint.

    The key comes from the environment (``PENTATHLON_API_KEY``, else ``OPENAI_API_KEY``) and is kept in no file; an
    endpoint on this machine needs none.
    """

    def __init__(
        self,
        model: str,
        api_base: str = OPENAI_BASE,
        settings: ChatSettings | None = None,
        store: AnswerStore | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self.model, self.api_base = model, api_base.rstrip("/")
        self.settings = settings or ChatSettings()
        self._store, self._ledger = store or AnswerStore(), ledger
        self._client = _open_client(self.api_base, self.settings.timeout_s)
        self._turn = threading.Lock()
        self._next_s = 0.0

    def ask(self, messages: Sequence[Message], attempt: int = 0) -> Answer:
        """Returns the answer to ``messages``; the same question again costs nothing.

        Raises:
            MachineError: when the provider cannot be reached, refuses key or model, or the cost limit is reached; no
                trial is to blame, and the same command continues later.
            EntrantError: when the provider refuses the question, or what comes back is no answer.
        """
        asked = {"temperature": self.settings.temperature, "most_tokens": self.settings.most_tokens}
        key = question_key(self.model, self.api_base, asked, messages, attempt)
        kept = self._store.get(key)
        if kept is not None:
            return kept
        if self._ledger is not None:
            self._ledger.check()
        answer = self._ask_provider(messages)
        self._store.put(key, answer)
        if self._ledger is not None:
            self._ledger.record(answer.ending, answer.tokens_in, answer.tokens_out)
        return answer

    def _ask_provider(self, messages: Sequence[Message]) -> Answer:
        started_s, failure = time.monotonic(), ""
        for number in range(1, self.settings.tries + 1):
            self._wait_for_turn()
            outcome = self._try(messages)
            if isinstance(outcome, Answer):
                return Answer(
                    outcome.text,
                    outcome.ending,
                    outcome.tokens_in,
                    outcome.tokens_out,
                    round(time.monotonic() - started_s, 3),
                    number,
                )
            failure = outcome.why
            if number < self.settings.tries:
                time.sleep(outcome.wait_s if outcome.wait_s is not None else min(2.0 ** (number - 2), LONGEST_WAIT_S))
        raise MachineError(
            f"No answer from {self.model} at {self.api_base} after {self.settings.tries} tries: {failure}. What was "
            "answered before is kept; the same command continues."
        )

    def _try(self, messages: Sequence[Message]) -> Answer | _Passing:
        import openai

        try:
            reply = self._client.chat.completions.create(
                model=self.model,
                messages=list(messages),  # type: ignore[arg-type]
                temperature=self.settings.temperature,
                max_completion_tokens=self.settings.most_tokens,
            )
        except openai.APIStatusError as error:
            if error.status_code in _PASSING:
                return _Passing(f"status {error.status_code}", _asked_wait_s(error.response.headers))
            raise self._refusal(error) from error
        except (openai.APIConnectionError, openai.APIResponseValidationError, ValueError) as error:
            return _Passing(f"{type(error).__name__}: {error}")
        return self._read(reply)

    def _read(self, reply: Any) -> Answer | _Passing:
        choices = getattr(reply, "choices", None)
        if not choices or getattr(choices[0], "message", None) is None:
            return _Passing("a reply without a choice")
        choice, usage = choices[0], getattr(reply, "usage", None)
        text = choice.message.content or getattr(choice.message, "refusal", None) or ""
        if not isinstance(text, str):
            raise EntrantError(f"Expected a text from {self.model}, got {type(text).__name__}.")
        return Answer(
            text,
            _ending(choice),
            int(getattr(usage, "prompt_tokens", 0) or 0),
            int(getattr(usage, "completion_tokens", 0) or 0),
        )

    def _refusal(self, error: openai.APIStatusError) -> MachineError | EntrantError:
        said = f"{self.api_base} answered {error.status_code} to {self.model!r}."
        advice = {
            401: f"Set {KEY_VARIABLE} to a key of that provider.",
            403: f"Set {KEY_VARIABLE} to a key that may use this model.",
            404: "Check the model's name and --api-base.",
        }.get(error.status_code)
        if advice is None:
            return EntrantError(f"{said} Mend the request, or choose another model.")
        return MachineError(f"{said} {advice}")

    def _wait_for_turn(self) -> None:
        """Spaces questions evenly, so that a burst does not end in refusals."""
        with self._turn:
            now_s = time.monotonic()
            begin_s = max(now_s, self._next_s)
            self._next_s = begin_s + 60.0 / self.settings.per_minute
        time.sleep(begin_s - now_s)


@dataclass(frozen=True)
class _Passing:
    """A failure that may pass, and how long the provider asks to wait."""

    why: str
    wait_s: float | None = None


def _asked_wait_s(headers: Any) -> float | None:
    try:
        return min(max(float(headers.get("retry-after")), 0.0), LONGEST_WAIT_S)
    except (TypeError, ValueError):
        return None


def _ending(choice: Any) -> Ending:
    if choice.finish_reason == "content_filter" or getattr(choice.message, "refusal", None):
        return "refused"
    return "cut short" if choice.finish_reason == "length" else "whole"


def _open_client(api_base: str, timeout_s: float) -> openai.OpenAI:
    try:
        import openai
    except ImportError as error:
        raise MissingDependencyError("openai", "pip install 'pentathlon[chat]'", why="Chat models use it.") from error
    key = os.environ.get(KEY_VARIABLE) or os.environ.get("OPENAI_API_KEY")
    if not key and api_base == OPENAI_BASE:
        raise UsageError(f"Expected a key in {KEY_VARIABLE}, got none. Set it, or give --api-base of another server.")
    # Retries are ours: they are counted, and a cost limit can end them.
    return openai.OpenAI(api_key=key or "none", base_url=api_base, timeout=timeout_s, max_retries=0)
