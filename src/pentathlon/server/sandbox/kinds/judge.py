"""A judge in a sandbox: a clip goes in by the window, a score for each description comes out."""

from __future__ import annotations

from collections.abc import Sequence

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.specs import JudgeSpec, Spec
from pentathlon.events.act.policies.arrays import unpack
from pentathlon.models.encoders.checked import check_images
from pentathlon.server.sandbox.kinds.checked_arrays import checked_array
from pentathlon.server.sandbox.kinds.session import Session
from pentathlon.server.sandbox.sandbox_messages import MAX_REPLY_BYTES, Load, ReadyJudge, Score, Scored


class SandboxedJudge:
    """Asks the judge in the sandbox."""

    def __init__(self, session: Session, load: Load, offered: Spec | None) -> None:
        self.session = session
        ready = session.load(load, ReadyJudge)
        if ready.frames is not None and ready.frames < 1:
            session.end("refused", f"The judge declares {ready.frames} frames for a clip.")
        self._spec = JudgeSpec(ready.frames)
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
