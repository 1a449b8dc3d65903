"""The built-in reader's tokenizer: whole words, in lower case, out of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"
WORD = r"[a-zé']+|[0-9]+|[.?,]"


def known_words(texts: Iterable[str]) -> list[str]:
    """Returns the words of texts in alphabetical order, after the tokens that are no words."""
    words = {word for text in texts for word in re.findall(WORD, text.lower())}
    return [PAD, END, UNKNOWN, *sorted(words)]


def make_tokenizer(words: list[str]) -> Any:
    """Makes a tokenizer of ``transformers`` that knows these words and ends every text as T5 expects."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    places = {word: place for place, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(places, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, places[END])])
    make: Any = PreTrainedTokenizerFast
    return make(tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, unk_token=UNKNOWN)
