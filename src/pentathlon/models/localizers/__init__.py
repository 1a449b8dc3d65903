"""Localizers: where in a picture the thing is that a sentence describes."""

from pentathlon.models.localizers.contract import Localizer, PhraseLocalizer, Relevance
from pentathlon.models.localizers.opening import open_localizer

__all__ = ["Localizer", "PhraseLocalizer", "Relevance", "open_localizer"]
