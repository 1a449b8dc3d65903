"""What is said to an image-text model about a thing: one prompt, or the mean of CLIP's 80.

The 80 prompts are those that OpenAI published for ImageNet with CLIP (github.com/openai/CLIP, notebook
Prompt_Engineering_for_ImageNet, MIT licence); CoW averages over them (Gadre et al. 2023, appendix C). They follow
from a few patterns and are put together here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.models.image_text.contract import ImageText, Vectors

Words = TypeVar("Words")

_ARTICLES = ("a", "the")
_KINDS_OF_PHOTO = (
    "bad",
    "black and white",
    "blurry",
    "bright",
    "close-up",
    "cropped",
    "dark",
    "good",
    "jpeg corrupted",
    "low resolution",
    "pixelated",
)
_KINDS_OF_THING = ("clean", "cool", "dirty", "hard to see", "large", "nice", "small", "weird")
_KINDS_OF_MAKE = ("cartoon", "embroidered", "origami", "plastic", "plushie", "toy")
_WORKS = (
    "a doodle",
    "a drawing",
    "a painting",
    "a photo",
    "a rendering",
    "a rendition",
    "a sculpture",
    "a sketch",
    "a tattoo",
    "art",
    "graffiti",
    "itap",
)

PHOTO = ("a photo of a {}.",)
"""The single prompt of appendix F."""

ENSEMBLE: tuple[str, ...] = (
    *(f"a {kind} photo of {article} {{}}." for kind in _KINDS_OF_PHOTO for article in _ARTICLES),
    *(f"a photo of {article} {kind} {{}}." for kind in _KINDS_OF_THING for article in _ARTICLES),
    *(f"{work} of {article} {{}}." for work in _WORKS for article in _ARTICLES),
    *(f"{article} {kind} {{}}." for kind in _KINDS_OF_MAKE for article in _ARTICLES),
    *(f"{article} {{}} in a video game." for article in _ARTICLES),
    *(f"a photo of {which} {{}}." for which in ("many", "my", "one")),
    "itap of my {}.",
)


def clean_sentence(sentence: str) -> str:
    """Returns a description without the blanks and full stops around it.

    Raises:
        UsageError: when nothing is left.
    """
    words = sentence.strip(" \t\n.")
    if not words:
        raise UsageError(f"Expected a description such as 'red mug on the desk', got {sentence!r}. Say what to find.")
    return words


def require_described(words: Words | None) -> Words:
    """Returns what was made of the description.

    Raises:
        UsageError: when nothing was described yet.
    """
    if words is None:
        raise UsageError("Expected describe before relevance, got no description. Describe the target first.")
    return words


def embed_phrases(model: ImageText, phrases: Sequence[str], templates: Sequence[str]) -> Vectors:
    """Embeds each phrase as the mean over ``templates``, of length one, as ``[K, D]``."""
    texts = [template.format(phrase) for phrase in phrases for template in templates]
    means = model.embed_texts(texts).reshape(len(phrases), len(templates), -1).mean(axis=1)
    return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), np.float32)
