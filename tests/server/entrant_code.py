"""Code of entrants of each kind, as strangers would upload it."""

from __future__ import annotations

ENCODER = """
import numpy as np
from pentathlon.core import EncoderSpec, Features

class Means:
    spec = EncoderSpec(dim=6, image_size=(8, 8), grid=(2, 2))
    calls = 0

    def encode(self, images):
        self.calls += 1
        assert len(images) <= 8
        small = images[:, ::8, ::8].astype(np.float32) / 255
        pooled = np.concatenate([small.mean((1, 2)), small.std((1, 2))], axis=1)
        return Features({pooled})

def make():
    return Means()
"""

AGENT = """
from pentathlon.core import ArraySpec, ChoiceSpec, InteractionSpec

class Walker:
    spec = InteractionSpec((ArraySpec("place", (1,), "float32"),), ChoiceSpec(("left", "right")))

    def reset(self, briefing):
        assert (briefing.seed, briefing.facts) in ((7, {{"length": 3}}), (0, {{}}))
        self._way = "right" if "right" in briefing.instruction else "left"

    def act(self, observation):
        assert "unused" not in observation
        assert observation.get("goal", self._way) == self._way
        return {action}

    def answer(self, question):
        return self._way

def make():
    return Walker()
"""

PHASED_AGENT = """
from pentathlon.core import ArraySpec, ChoiceSpec, InteractionSpec

class Listener:
    spec = InteractionSpec((ArraySpec("place", (1,), "float32"),), ChoiceSpec(("left", "right")), answers=True)

    def reset(self, briefing):
        self._told = [briefing.instruction]

    def brief(self, briefing):
        self._told.append(briefing.instruction)

    def act(self, observation):
        return "left"

    def answer(self, question):
        return {answer}

def make():
    return Listener()
"""

JUDGE = """
import numpy as np
from pentathlon.core import JudgeSpec

class Brightness:
    spec = JudgeSpec(frames=4)

    def score(self, clip, descriptions):
        bright = float(clip.mean()) / 255
        scores = [bright if "bright" in text else 1 - bright for text in descriptions]
        return {scores}

def make():
    return Brightness()
"""


def encoder(pooled: str = "pooled.astype(np.float32)") -> str:
    """An encoder whose answer may be wrong."""
    return ENCODER.format(pooled=pooled)


def agent(action: str = "self._way") -> str:
    """An agent whose answer may be wrong."""
    return AGENT.format(action=action)


def judge(scores: str = "np.array(scores, np.float32)") -> str:
    """A judge whose answer may be wrong."""
    return JUDGE.format(scores=scores)


def phased_agent(answer: str = "' '.join(self._told)") -> str:
    """An agent that is told more from phase to phase and answers with all of it."""
    return PHASED_AGENT.format(answer=answer)
