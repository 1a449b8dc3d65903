"""A judge as a reward, the paper's purpose: a Gymnasium wrapper that scores what an episode showed by a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np

from pentathlon.core.entrants import Briefing, Judge
from pentathlon.core.errors import DataError, UsageError
from pentathlon.events.judge.data.frames import Frames, even_places
from pentathlon.events.judge.metrics import checked_scores, softmax
from pentathlon.events.judge.protocol import PAPERS_FRAMES

MODES = ("rgb_array", "rgb_array_list")


class JudgeReward(gym.Wrapper[Any, Any, Any, Any]):
    """Gives no reward until the episode ends, then what a judge thinks of it.

    The environment is seen through ``render()``, whose pictures must be arrays: one after each step, or with
    ``rgb_array_list`` all since the last, where a step takes long. The environment's own reward is kept in
    ``info["true_reward"]``, summed over the episode, so that both can be compared.

    Args:
        env: made with ``render_mode="rgb_array"`` or ``"rgb_array_list"``.
        judge: any judge.
        sentence: what is to be done.
        instead: what else could have been done; with some of them the reward is the sentence's share after softmax,
            without any the judge's raw score.
    """

    def __init__(self, env: gym.Env[Any, Any], judge: Judge, sentence: str, instead: Sequence[str] = ()) -> None:
        super().__init__(env)
        if env.render_mode not in MODES:
            raise UsageError(f"Expected an environment of render_mode {' or '.join(MODES)}, got {env.render_mode!r}.")
        if not sentence.strip():
            raise UsageError("Expected a sentence that says what is to be done, got none.")
        self._judge, self._sentences = judge, [sentence, *instead]
        self._frames: list[Frames] = []
        self._true = 0.0

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        started: tuple[Any, dict[str, Any]] = self.env.reset(**options)
        self._frames, self._true = self._look(), 0.0
        return started

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Acts; the last step of an episode has the judge's reward."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._frames += self._look()
        self._true += float(reward)
        judged = self._reward() if terminated or truncated else 0.0
        return observation, judged, terminated, truncated, {**info, "true_reward": self._true}

    def _reward(self) -> float:
        frames = np.stack(self._frames)
        wanted = self._judge.spec.frames or PAPERS_FRAMES
        listen = getattr(self._judge, "brief", None)
        if listen is not None:
            listen(Briefing("", 1, {"labels": [f"label_{i}" for i in range(len(self._sentences))]}))
        given = self._judge.score(frames[even_places(len(frames), wanted)], self._sentences)
        scores = checked_scores(given, len(self._sentences), "an episode")
        return float(scores[0] if len(scores) == 1 else softmax(scores[None])[0, 0])

    def _look(self) -> list[Frames]:
        seen: Any = self.env.render()
        pictures = [np.asarray(one) for one in (seen if self.env.render_mode == "rgb_array_list" else [seen])]
        for one in pictures:
            if one.ndim != 3 or one.shape[-1] != 3 or one.dtype != np.uint8:
                raise DataError(f"Expected a picture uint8[H, W, 3] of render(), got {one.dtype}{list(one.shape)}.")
        return pictures
