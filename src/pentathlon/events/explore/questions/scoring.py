"""Tells right answers from wrong ones: yes-no exactly, counts within 5 %, queries in any order."""

from __future__ import annotations

import re

from pentathlon.core.errors import EntrantError
from pentathlon.events.explore.questions.question import Question
from pentathlon.events.explore.questions.words import NUMBERS, words_of_looks, words_of_things

MOST_CHARACTERS = 200
COUNT_TOLERANCE = 0.05
YES = frozenset({"yes", "true", "yeah", "yep"})
NO = frozenset({"no", "false", "nope"})
ARTICLES = re.compile(r"^(?:(?:it is|it's|they are|there is|there are)\s+)?(?:(?:made of|a|an|the|some)\s+)?")


def is_right(question: Question, answer: object) -> bool:
    """Tells whether an answer in words is right; words that mean nothing here are wrong.

    Raises:
        EntrantError: when it is no text, empty, or longer than any answer may be.
    """
    text = checked_answer(answer)
    truth = question.answer
    if isinstance(truth, bool):
        return yes_or_no(text) is truth
    if isinstance(truth, int):
        number = number_in(text)
        return number is not None and abs(number - truth) <= COUNT_TOLERANCE * truth
    words = names_in(text) if question.family == "query-type" else looks_in(text)
    return words is not None and words == frozenset(truth)


def checked_answer(answer: object) -> str:
    """Returns an answer without the blanks and full stops around it.

    Raises:
        EntrantError: when it is no text, empty, or longer than any answer may be.
    """
    if not isinstance(answer, str):
        raise EntrantError(f"Expected an answer as text, such as 'yes' or '3', got {type(answer).__name__}.")
    if len(answer) > MOST_CHARACTERS:
        raise EntrantError(f"Expected an answer of at most {MOST_CHARACTERS} characters, got {len(answer)}.")
    text = answer.strip().strip(".!\"'").strip()
    if not text:
        raise EntrantError("Expected an answer such as 'yes', '3' or 'black and silver', got an empty one.")
    return text


def yes_or_no(text: str) -> bool | None:
    """Reads "Yes." or "no, there is none"; ``None`` for anything else."""
    first = re.split(r"[\s,.;:!]+", text.strip().lower())[0]
    return True if first in YES else False if first in NO else None


def number_in(text: str) -> float | None:
    """Reads the one number in a text, in digits or as a word up to twenty; ``None`` where there is none or several."""
    words = re.findall(r"[a-z]+|-?\d+(?:\.\d+)?", text.lower().replace("no ", "zero "))
    table = {word: float(number) for number, word in enumerate(NUMBERS)} | {"none": 0.0}
    found = [table[word] if word in table else float(word) for word in words if word in table or not word.isalpha()]
    return found[0] if len(found) == 1 else None


def looks_in(text: str) -> frozenset[str] | None:
    """Reads "silver and black" or "black, silver" as colours or materials; ``None`` if a word is none of them."""
    parts = [part for part in re.split(r"\s*(?:,|\band\b|&|/|\s)\s*", _bare(text)) if part]
    table = words_of_looks()
    return frozenset(table[part] for part in parts) if parts and all(part in table for part in parts) else None


def names_in(text: str) -> frozenset[str] | None:
    """Reads "a trash can" as what people usually call it; ``None`` if a word names nothing."""
    parts = [_bare(part) for part in re.split(r"\s*(?:,|\band\b|&)\s*", text.lower()) if part.strip()]
    table = words_of_things()
    return frozenset(table[part] for part in parts) if parts and all(part in table for part in parts) else None


def _bare(text: str) -> str:
    """A phrase in lower case, without its article or "it is"."""
    return ARTICLES.sub("", text.strip().lower()).strip()
