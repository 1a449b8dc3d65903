"""Models that put pictures and sentences into one space."""

from pentathlon.models.image_text.contract import ImageText

__all__ = ["ImageText"]
