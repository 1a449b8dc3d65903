"""The paper's QA, Novelty and Novelty+QA agents as entrants: they act by what they learnt and answer from a belief."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import torch

from pentathlon.core import Briefing, ChoiceSpec, InteractionSpec, resolve_entrant
from pentathlon.core.entrants import Encoder, Observation
from pentathlon.core.errors import DataError
from pentathlon.events.explore.learned.belief import NO_ACTION, BeliefNetwork
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.weights import load_agent
from pentathlon.events.explore.protocol import ACTIONS, any_size
from pentathlon.models.weights import BUILTIN_FOLDER

NO_ANSWER = "unknown"
"""Said where the reader gives no word at all: wrong, but an answer."""


class LearnedAgent:
    """Draws its actions, as in its training; its belief lasts from the first step to the last answer.

    Attributes:
        fingerprint: of its weights.
    """

    spec = InteractionSpec(any_size("rgb"), ChoiceSpec(ACTIONS), answers=True)

    def __init__(self, network: BeliefNetwork, encoder: Encoder, reader: Reader, fingerprint: str = "") -> None:
        if network.settings.features != encoder.spec.dim or network.settings.token_dim != reader.token_dim:
            raise DataError(
                f"Expected features of {network.settings.features} and tokens of {network.settings.token_dim} numbers, "
                f"got {encoder.spec.dim} of the encoder and {reader.token_dim} of the reader: the agent was trained "
                "with others."
            )
        self._network, self._encoder, self._reader, self.fingerprint = network, encoder, reader, fingerprint

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode with nothing believed and no question known."""
        self._random = np.random.default_rng(briefing.seed)
        self._state = self._network.first_state(1)
        self._last = NO_ACTION
        self._asked = torch.zeros(1, 1, self._network.settings.question_dim)

    def brief(self, briefing: Briefing) -> None:
        """Begins phase III: from here on, all it does depends on the questions too."""
        self._asked = self._reader.embed(list(briefing.facts["questions"]))[None, None]
        self._last = NO_ACTION

    @torch.no_grad()
    def act(self, observation: Observation) -> str:
        """Draws an action."""
        picture = np.asarray(observation["rgb"])[None]
        features = torch.as_tensor(self._encoder.encode(picture).pooled)[None]
        last = torch.tensor([[self._last]])
        thought = self._network(features, last, self._asked, self._state, torch.zeros(1, 1))
        shares = torch.softmax(thought.logits[0, 0].double(), dim=-1).numpy()
        self._state, self._last = thought.state, int(self._random.choice(len(ACTIONS), p=shares / shares.sum()))
        return ACTIONS[self._last]

    @torch.no_grad()
    def answer(self, question: str) -> str:
        """Answers by what is believed now."""
        (answer,) = self._reader.answer(self._network.tokens(self._state[0]), [question])
        return answer.strip() or NO_ANSWER


def make_learned(weights: str) -> LearnedAgent:
    """Builds the agent of a folder, with the encoder and the reader that it was trained with."""
    saved = load_agent(Path(weights).expanduser())
    encoder, reader = resolve_entrant(saved.notes.encoder).make(), Reader.open(saved.notes.reader)
    told = "".join([saved.fingerprint, str(getattr(encoder, "fingerprint", "")), reader.fingerprint])
    return LearnedAgent(saved.network, encoder, reader, hashlib.sha256(told.encode()).hexdigest()[:32])


def make_builtin(name: str) -> LearnedAgent:
    """Builds one that comes with this version."""
    return make_learned(str(BUILTIN_FOLDER / name))
