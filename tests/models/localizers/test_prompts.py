"""The 80 prompts are exactly those that were published."""

from __future__ import annotations

import hashlib

from pentathlon.models.localizers.prompts import ENSEMBLE, PHOTO, clean_sentence


def test_the_prompts_are_the_published_ones() -> None:
    assert len(ENSEMBLE) == len(set(ENSEMBLE)) == 80
    assert {"a photo of the hard to see {}.", "itap of my {}.", "a {} in a video game.", *PHOTO} <= set(ENSEMBLE)
    digest = hashlib.sha256("\n".join(sorted(ENSEMBLE)).encode()).hexdigest()
    assert digest == "a8a4822f2921936e2ef07cf2e7a5df69be9532aab2f3f4880156bb03563e2467"


def test_sentences_lose_what_surrounds_them() -> None:
    assert clean_sentence(" small, red mug near the bed. ") == "small, red mug near the bed"
