"""A judge in a sandbox: a clip goes in by the window, a score for each description comes out."""

from __future__ import annotations

from collections.abc import Sequence

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.specs import JudgeSpec, Spec
from pentathlon.models.encoders.checked import check_images
from pentathlon.models.remote.arrays import unpack
from pentathlon.models.remote.checks import checked_array
from pentathlon.models.remote.declared import ReadyJudge, judge_spec
from pentathlon.models.remote.questions import Score, Scored
from pentathlon.server.sandbox.kinds.session import Session
from pentathlon.server.sandbox.sandbox_messages import MAX_REPLY_BYTES, Load


class SandboxedJudge:
    """Asks the judge in the sandbox."""

    def __init__(self, session: Session, load: Load, offered: Spec | None) -> None:
        self.session = session
        ready = session.load(load, ReadyJudge)
        self._spec = session.check(lambda: judge_spec(ready), "refused")
        session.compare(offered, self._spec)

    @property
    def spec(self) -> JudgeSpec:
        """What the judge declared."""
        return self._spec

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Returns a finite float32 score for each description."""
        check_images(clip)
        placed = self.session.window.place({"clip": clip})["clip"]
        words = tuple(descriptions)
        scored = self.session.ask(lambda ticket: Score(ticket, placed, words), Scored, "score")
        shape = (len(words),)
        return self.session.check(lambda: checked_array(unpack(scored.scores, MAX_REPLY_BYTES), shape, "scores"))
