"""The judge that talks: frames are described, descriptions matched, matches scored (Wybitul et al. 2024, B)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from pentathlon.core.entrants import Briefing, Floats, Images
from pentathlon.core.specs import JudgeSpec
from pentathlon.models.chat import Answer, Message, assistant, picture_part, system, user
from pentathlon.models.judges.prompts import (
    EXAMPLE,
    FRAMES,
    INSTRUCTION,
    MATCH,
    MINECRAFT,
    MISSING,
    ONE_RIGHT,
    SCORE,
    SEVERAL_RIGHT,
    SYSTEM,
    class_list,
    read_scores,
)

PAPERS_FRAMES = 16


class Speaker(Protocol):
    """Answers messages: a chat model far away, or one on this machine."""

    def ask(self, messages: Sequence[Message]) -> Answer:
        """Returns the answer."""
        ...


class ConversationJudge:
    """Asks a speaker for descriptions of the frames, for matches, and for scores.

    Attributes:
        remarks: of the last video, for its record: what was said, and the count of refusals, of answers cut short, of
            labels without a score, and of tokens read and written.
    """

    def __init__(self, speaker: Speaker, frames: int = PAPERS_FRAMES, one_shot: bool = True) -> None:
        self.spec = JudgeSpec(frames)
        self._speaker, self._one_shot = speaker, one_shot
        self._briefing = Briefing("", 0)
        self.remarks: dict[str, Any] = {}

    def brief(self, briefing: Briefing) -> None:
        """Hears what the problem set is about."""
        self._briefing = briefing

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description from 0 to 5, in worlds of blocks from 0 to 1."""
        labels = self._briefing.facts.get("labels") or [f"label_{i}" for i in range(len(descriptions))]
        options = dict(zip(labels, descriptions, strict=True))
        self.remarks = {"counts": {"refused": 0, "cut short": 0, "unscored": 0, "tokens in": 0, "tokens out": 0}}
        minecraft = self._briefing.facts.get("environment") in ("minecraft", "blocks")
        text = self._score_minecraft(clip, options) if minecraft else self._score_in_three(clip, options)
        if text is None:
            return np.full(len(options), MISSING, np.float32)
        found = read_scores(text, list(options))
        self.remarks["counts"]["unscored"] = sum(score is None for score in found.values())
        return np.array([MISSING if score is None else score for score in found.values()], np.float32)

    def _score_in_three(self, clip: Images, options: dict[str, str]) -> str | None:
        described = self._say("described", [system(SYSTEM), self._show(clip)])
        if described is None:
            return None
        question = MATCH.format(frame_descriptions=described, class_list=class_list(options))
        matching = [system(SYSTEM), user(question)]
        matched = self._say("matched", matching)
        return None if matched is None else self._say("scored", [*matching, assistant(matched), user(SCORE)])

    def _score_minecraft(self, clip: Images, options: dict[str, str]) -> str | None:
        how_many = SEVERAL_RIGHT if self._briefing.facts.get("multi_label") else ONE_RIGHT
        first = [user(self._briefing.instruction or INSTRUCTION, *map(picture_part, clip))]
        described = self._say("described", first)
        question = MINECRAFT.format(how_many=how_many, class_list=class_list(options))
        return None if described is None else self._say("scored", [*first, assistant(described), user(question)])

    def _show(self, clip: Images) -> Message:
        own = self._briefing.instruction
        example = (self._briefing.facts.get("example", "") if own else EXAMPLE) if self._one_shot else ""
        text = FRAMES.format(n_frames=len(clip), instruction=own or INSTRUCTION, example=example)
        return user(text, *map(picture_part, clip))

    def _say(self, name: str, messages: Sequence[Message]) -> str | None:
        """Asks; ``None`` when the model refuses."""
        answer = self._speaker.ask(messages)
        counts = self.remarks["counts"]
        self.remarks[name] = answer.text
        counts["tokens in"] += answer.tokens_in
        counts["tokens out"] += answer.tokens_out
        counts["cut short"] += answer.ending == "cut short"
        counts["refused"] += answer.ending == "refused"
        return None if answer.ending == "refused" else answer.text
