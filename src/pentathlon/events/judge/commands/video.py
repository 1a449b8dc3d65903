"""``pentathlon judge video``: how well do sentences describe a video of one's own?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import EVENTS, RUNS, Runs, UsageError, resolve_entrant
from pentathlon.core.entrants import kind_of
from pentathlon.models.chat.entering import ChatTerms, enter_chat, is_chat

if TYPE_CHECKING:
    from pentathlon.core.entrants import Judge

ANY_LENGTH_FRAMES = 32


@dataclass(frozen=True)
class Video:
    """Score sentences for a video, the best first; scores of one judge can be compared, those of two cannot."""

    video: tyro.conf.Positional[Path]
    """A video file of any format that FFmpeg reads."""
    descriptions: tyro.conf.Positional[tuple[str, ...]]
    """Sentences, such as "first we open the fridge, then we take out an apple"."""
    entrant: Annotated[str, tyro.conf.arg(aliases=["-e"])]
    """A judge: a registered id, id@weights as frames@openai/clip-vit-base-patch32, module:factory or chat:MODEL."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """For chat:MODEL: folder of the runs, whose record of costs it shares."""
    chat: ChatTerms = field(default_factory=ChatTerms)

    def run(self, runs: Runs) -> int:
        """Prints a line per sentence."""
        from pentathlon.events.judge.data.frames import read_frames
        from pentathlon.events.judge.metrics import checked_scores

        sentences = [sentence.strip() for sentence in self.descriptions]
        if not sentences or not all(sentences):
            raise UsageError("Expected sentences that describe the video, got none or an empty one. Write some.")
        judge = self._judge()
        clip = read_frames(self.video, judge.spec.frames or ANY_LENGTH_FRAMES)
        given = judge.score(clip, sentences)
        scores = checked_scores(given, len(sentences), str(self.video)).tolist()
        for score, sentence in sorted(zip(scores, sentences, strict=True), reverse=True):
            print(f"{score:8.4f}  {sentence}")
        return 0

    def _judge(self) -> Judge:
        if is_chat(self.entrant):
            judge: Judge = enter_chat(self.entrant, EVENTS.get("judge"), self.chat, self.out).make()
            return judge
        judge = resolve_entrant(self.entrant).make()
        if kind_of(judge) != "judge":
            raise UsageError(f"Expected a judge, {self.entrant!r} is of kind {kind_of(judge)!r}. Choose another.")
        if judge.spec.told:
            told = ", ".join(judge.spec.told)
            raise UsageError(
                f"Expected a judge that looks, {self.entrant!r} has to be told what was done ({told}), "
                "which of a video of one's own nobody knows. Choose another."
            )
        return judge
