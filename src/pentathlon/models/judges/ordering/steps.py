"""Cuts a description into its steps by the words that join them."""

from __future__ import annotations

import re

_JOINT = r"(?:then|finally|lastly|next|afterwards|after that|after this|later)"
# What is taken back at once belongs to the step before: "put it in, then pick it back up".
_NOT_BACK = r"(?!\s*,?\s*immediately\b)(?![^,.;]*\bback\b)"
_BREAK = re.compile(
    rf"(?:\s*[,;.]\s*|\s+)(?:and\s+|but\s+)?{_JOINT}\b{_NOT_BACK}\s*,?\s*|\s*;\s*|\.\s+|\s*\n\s*", re.IGNORECASE
)
_OPENING = re.compile(
    r"^\s*(?:(?:first(?:ly)?|and|to begin with|at first|initially|step \d+|\d+)\b\s*[.,:)]?\s*)*"
    r"(?:(?:we|i|you|they|he|she|someone|the (?:person|robot|agent))\s+)?",
    re.IGNORECASE,
)


def split_steps(description: str) -> tuple[str, ...]:
    """Returns the steps of a description, in order, without the words around them; at least one.

    ``First, we open the fridge, and then we take an apple`` gives ``open the fridge`` and ``take an apple``.
    """
    parts = [_OPENING.sub("", part).strip(" ,.;\n\t") for part in _BREAK.split(description)]
    return tuple(part for part in parts if part) or (description.strip(),)
