"""Chat models behind endpoints that speak OpenAI's protocol: asked once, remembered, counted, within a cost limit."""

from pentathlon.models.chat.answers import Answer, AnswerStore
from pentathlon.models.chat.chat_model import ChatModel, ChatSettings
from pentathlon.models.chat.entering import ChatTerms, enter_chat, is_chat, open_chat
from pentathlon.models.chat.ledger import Ledger, Prices, Totals
from pentathlon.models.chat.messages import Message, assistant, last_object, picture_part, system, user

__all__ = [
    "Answer",
    "AnswerStore",
    "ChatModel",
    "ChatSettings",
    "ChatTerms",
    "Ledger",
    "Message",
    "Prices",
    "Totals",
    "assistant",
    "enter_chat",
    "is_chat",
    "last_object",
    "open_chat",
    "picture_part",
    "system",
    "user",
]
