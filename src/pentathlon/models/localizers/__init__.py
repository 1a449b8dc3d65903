"""Localizers: where in a picture the thing is that a sentence describes."""

from pentathlon.models.localizers.contract import Localizer, Relevance
from pentathlon.models.localizers.opening import open_localizer

__all__ = ["Localizer", "Relevance", "open_localizer"]
