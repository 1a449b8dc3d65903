"""Vision-language models on this machine, through ``transformers``, as judges of three kinds.

``vlm`` speaks the paper's three messages. ``vlm-rubric`` asks for each sentence alone by a rubric from 1 to 5, after
RoboReward (2601.00675); ``vlm-true`` takes how likely the model goes on with "True", after TOPReward.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.errors import DataError
from pentathlon.core.specs import JudgeSpec
from pentathlon.models.chat import Answer, Message, picture_part, user
from pentathlon.models.judges.conversation import PAPERS_FRAMES, ConversationJudge
from pentathlon.models.weights import resolve_weights

MOST_TOKENS = 1024
RUBRIC = """These are {count} frames of a video in their order. Was this done in it: {sentence}?

5: all of it was done, and in this order.
4: it was done but for one small thing.
3: much of it was done, but an important part is missing or wrong.
2: a little of it was done.
1: none of it was done.

Answer with the number alone."""
STATEMENT = """The {count} frames above show a video in their order. The video shows that the following was done: {sentence}.
Decide whether this statement is True or not. The answer is:"""  # noqa: E501
_LEVEL = re.compile(r"(?<!\d)[1-5](?!\d)")


class LocalSpeaker:
    """Answers chat messages with a model of ``transformers``, always with its likeliest words."""

    def __init__(self, model: Any, processor: Any, device: str | None = None) -> None:
        self._device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._model, self._processor = model.eval().to(self._device), processor

    @torch.inference_mode()
    def ask(self, messages: Sequence[Message], most_tokens: int = MOST_TOKENS) -> Answer:
        """Returns the answer."""
        inputs = self._prepare(messages)
        given = int(inputs["input_ids"].shape[1])
        output = self._model.generate(**inputs, max_new_tokens=most_tokens, do_sample=False)[0, given:]
        text = self._processor.batch_decode(output[None], skip_special_tokens=True)[0]
        ending = "cut short" if len(output) == most_tokens else "whole"
        return Answer(text.strip(), ending, given, len(output))  # type: ignore[arg-type]

    @torch.inference_mode()
    def log_chance(self, messages: Sequence[Message], word: str) -> float:
        """Returns the logarithm of the chance that the answer begins with the first token of ``word``."""
        logits = self._model(**self._prepare(messages)).logits[0, -1].float()
        (first, *_) = self._processor.tokenizer.encode(word, add_special_tokens=False)
        return float(torch.log_softmax(logits, dim=-1)[first])

    def _prepare(self, messages: Sequence[Message]) -> Any:
        plain = [{"role": one["role"], "content": _parts(one["content"])} for one in messages]
        return self._processor.apply_chat_template(
            plain, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        ).to(self._device)


class RubricJudge:
    """Asks for each sentence by itself how much of it was done, from 1 to 5."""

    def __init__(self, speaker: LocalSpeaker, frames: int = PAPERS_FRAMES) -> None:
        self.spec = JudgeSpec(frames)
        self._speaker = speaker
        self.remarks: dict[str, Any] = {}

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description; 0 where the answer has no number."""
        answers = [self._speaker.ask([_question(clip, RUBRIC, one)], most_tokens=8).text for one in descriptions]
        found = [_LEVEL.search(text) for text in answers]
        self.remarks = {"said": answers, "counts": {"unscored": sum(level is None for level in found)}}
        return np.array([float(level[0]) if level else 0.0 for level in found], np.float32)


class TrueJudge:
    """Scores by how likely the model says that the sentence is true."""

    def __init__(self, speaker: LocalSpeaker, frames: int = PAPERS_FRAMES) -> None:
        self.spec = JudgeSpec(frames)
        self._speaker = speaker

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description by a logarithm, 0 at most."""
        asked = [[_question(clip, STATEMENT, sentence)] for sentence in descriptions]
        return np.array([self._speaker.log_chance(messages, "True") for messages in asked], np.float32)


def make_vlm(weights: str, frames: int = PAPERS_FRAMES) -> ConversationJudge:
    """Builds the judge of three messages from a folder or hub id."""
    return ConversationJudge(load_speaker(weights), frames)


def make_rubric(weights: str, frames: int = PAPERS_FRAMES) -> RubricJudge:
    """Builds the judge by rubric."""
    return RubricJudge(load_speaker(weights), frames)


def make_true(weights: str, frames: int = PAPERS_FRAMES) -> TrueJudge:
    """Builds the judge by the chance of "True"."""
    return TrueJudge(load_speaker(weights), frames)


def load_speaker(weights: str) -> LocalSpeaker:
    """Loads a model with its processor.

    Raises:
        DataError: when the folder holds no vision-language model that ``transformers`` knows.
    """
    import transformers

    folder: Path = resolve_weights(weights)
    try:
        model = transformers.AutoModelForImageTextToText.from_pretrained(
            str(folder), local_files_only=True, dtype="auto"
        )
        processor = transformers.AutoProcessor.from_pretrained(  # type: ignore[no-untyped-call]
            str(folder), local_files_only=True
        )
    except ImportError as error:
        raise DataError(
            f"The model in {folder} needs a package that is not here: {' '.join(str(error).split())} Install it."
        ) from error
    except Exception as error:  # each family raises what its own code does
        raise DataError(
            f"Expected a vision-language model with its processor in {folder}, could not load one "
            f"({type(error).__name__}: {error}). Copy the whole folder."
        ) from error
    if not getattr(processor, "chat_template", None):
        raise DataError(f"Expected a chat template in {folder}, got none. Choose a model that was taught to chat.")
    return LocalSpeaker(model, processor)


def _question(clip: Images, text: str, sentence: str) -> Message:
    return user(*map(picture_part, clip), text.format(count=len(clip), sentence=sentence.rstrip(".")))


def _parts(content: Any) -> list[dict[str, Any]]:
    """A message's parts as ``transformers`` has them: pictures as pictures, not as addresses."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_picture(part) if part["type"] == "image_url" else part for part in content]


def _picture(part: dict[str, Any]) -> dict[str, Any]:
    data = part["image_url"]["url"].partition("base64,")[2]
    return {"type": "image", "image": Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")}
