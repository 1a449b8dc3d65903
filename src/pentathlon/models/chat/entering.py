"""Chat models as entrants: ``chat:MODEL`` is whatever the event makes of a chat model, on the user's terms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pentathlon.core.errors import UsageError
from pentathlon.core.events import EventEntry
from pentathlon.core.registry import EntrantEntry
from pentathlon.models.chat.chat_model import OPENAI_BASE, ChatModel, ChatSettings
from pentathlon.models.chat.ledger import Ledger, Prices

PREFIX = "chat:"
LEDGER = "chat-ledger.jsonl"


@dataclass(frozen=True, kw_only=True)
class ChatTerms:
    """Where a chat model is asked, and what it may cost."""

    api_base: str = OPENAI_BASE
    """For chat:MODEL: the address of an OpenAI-compatible endpoint; its key comes from PENTATHLON_API_KEY."""
    price_in: float = 0.0
    """For chat:MODEL: price of a million tokens that are read, in your provider's currency."""
    price_out: float = 0.0
    """For chat:MODEL: price of a million tokens that are written."""
    max_cost: float | None = None
    """For chat:MODEL: ask nothing more once all runs of the folder have cost so much; needs the prices."""


def is_chat(reference: str) -> bool:
    """Tells whether an entrant is named as a chat model."""
    return reference.startswith(PREFIX)


def enter_chat(reference: str, event: EventEntry, terms: ChatTerms, out: Path) -> EntrantEntry:
    """Names the entrant that a chat model is in an event.

    The model and its address tell runs apart; prices and limit do not.

    Args:
        reference: ``chat:MODEL``.
        event: of the task.
        terms: address, prices and limit.
        out: the folder of the runs, which share one ledger.

    Raises:
        UsageError: when no model is named, or the event takes none.
    """
    model = reference.removeprefix(PREFIX)
    if not model:
        raise UsageError(f"Expected {PREFIX}MODEL, got {reference!r}. Name the model as its provider does.")
    if not event.chat:
        raise UsageError(f"Expected an event that chat models can enter, got {event.id!r}. Choose another entrant.")
    ledger = str((out / LEDGER).absolute())
    return EntrantEntry(
        id=reference,
        kind=None,
        summary="",
        factory=event.chat,
        options={"model": model, "api_base": terms.api_base},
        terms={
            "ledger": ledger,
            "price_in": terms.price_in,
            "price_out": terms.price_out,
            "max_cost": terms.max_cost,
        },
    )


def open_chat(
    model: str,
    *,
    api_base: str = OPENAI_BASE,
    ledger: str = "",
    price_in: float = 0.0,
    price_out: float = 0.0,
    max_cost: float | None = None,
    settings: ChatSettings | None = None,
) -> ChatModel:
    """Opens the chat model of an entrant.

    Args:
        model: as its provider calls it.
        api_base: where it is asked.
        ledger: file that keeps what answers cost; none is kept where empty.
        price_in: of a million tokens that are read.
        price_out: of a million tokens that are written.
        max_cost: nothing is asked once so much was spent.
        settings: how to ask.

    Raises:
        UsageError: when a limit comes without prices, or OpenAI's own endpoint without a key.
    """
    prices = Prices(price_in, price_out)
    if max_cost is not None and not ledger:
        raise UsageError("Expected a ledger with the cost limit, got none. Name its file, or leave the limit out.")
    kept = Ledger(Path(ledger), prices, max_cost) if ledger else None
    return ChatModel(model, api_base, settings, ledger=kept)
