"""A chat model as a judge, entered as ``chat:MODEL``; ``chat:zero-shot/MODEL`` is shown no example."""

from __future__ import annotations

from typing import Any

from pentathlon.models.chat import ChatSettings, open_chat
from pentathlon.models.judges.conversation import ConversationJudge

SETTINGS = ChatSettings(temperature=0.7, most_tokens=2500)
"""As released."""
ZERO_SHOT = "zero-shot/"


def make_chat(model: str, **terms: Any) -> ConversationJudge:
    """Builds the judge; the terms are those of :func:`~pentathlon.models.chat.open_chat`."""
    speaker = open_chat(model.removeprefix(ZERO_SHOT), settings=SETTINGS, **terms)
    return ConversationJudge(speaker, one_shot=not model.startswith(ZERO_SHOT))
