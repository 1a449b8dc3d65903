"""Localizers: where in a picture the thing is that a sentence describes."""

from pentathlon.models.localizers.contract import Localizer, Relevance

__all__ = ["Localizer", "Relevance"]
