"""CLIP on Wheels: spin, explore until the target is seen, exploit what was seen (Gadre et al. 2023, section 4)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Literal

import numpy as np

from pentathlon.core.entrants import Briefing, Observation
from pentathlon.core.specs import ChoiceSpec, InteractionSpec
from pentathlon.events.find.agents.approaches import STOP_WITHIN_M, Approach
from pentathlon.events.find.agents.eyes import DEPTH, Eyes, LocalizerEyes
from pentathlon.events.find.agents.guesses import LastGuess
from pentathlon.events.find.agents.insight import Insight
from pentathlon.events.find.agents.relations import Surroundings
from pentathlon.events.find.agents.visits import AnchorVisits
from pentathlon.models.localizers import Relevance
from pentathlon.models.localizers.post_processing import stretched
from pentathlon.models.navigation.back_projection import Points, thinned
from pentathlon.models.navigation.explorers import Explorer
from pentathlon.models.navigation.settings import CowSettings
from pentathlon.models.navigation.walk import BodyFacts, Walk
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action

Phase = Literal["spin", "explore", "exploit"]
# Depth and relevance are thinned out to this before they are put on the map, as the released agent does.
MAP_PX = 224


class CowAgent:
    """An agent of separable parts: eyes, explorer, approach, and the map and memory of :class:`Walk`.

    Attributes:
        walk: what is known in this episode.
        insight: what records and videos show of it.
        fingerprint: of its networks, where they are built in; ``None`` where it has none.
    """

    def __init__(
        self,
        eyes: Eyes,
        explorer: Explorer,
        approach: Approach,
        settings: CowSettings,
        *,
        stops_last: bool = False,
        visits: AnchorVisits | None = None,
        fingerprint: str | None = None,
    ) -> None:
        """Joins the parts.

        Args:
            eyes: how it tells its target.
            explorer: where it goes until then.
            approach: how it gets there and when it stops.
            settings: of its map.
            stops_last: whether it stops with its last step, wherever it is.
            visits: looks at what the sentence names as the target's place, before it explores on.
            fingerprint: of its networks.
        """
        self.fingerprint = fingerprint
        self._visits = visits
        self._stops_last = stops_last or settings.guess
        self._guess = LastGuess() if settings.guess else None
        self._eyes, self._explorer, self._approach, self._settings = eyes, explorer, approach, settings
        extra = tuple(getattr(explorer, "observations", ()))
        observations = {spec.name: spec for spec in (DEPTH, *eyes.observations, *extra)}
        self.spec = InteractionSpec(tuple(observations.values()), ChoiceSpec(ACTIONS))

    @property
    def notes(self) -> dict[str, str] | None:
        """What sees the target, and with what; for records."""
        if not isinstance(self._eyes, LocalizerEyes):
            return None
        return {"localizer": self._eyes.name, "device": self._eyes.device}

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode: the map is empty, and nothing of earlier episodes is kept."""
        self._eyes.describe(briefing.instruction, str(briefing.facts.get("category", briefing.instruction)))
        self.walk = Walk(BodyFacts.of_briefing(briefing.facts), self._settings)
        links = self._eyes.links if isinstance(self._eyes, LocalizerEyes) else ()
        self._surroundings = Surroundings(self.walk.floor, links) if links else None
        self._explorer.reset(briefing.seed)
        self._approach.reset()
        if self._guess is not None:
            self._guess.reset()
        if self._visits is not None:
            self._visits.reset()
        self._phase: Phase = "spin"
        self._queue: deque[Action] = deque(self.walk.body.spin)

    def act(self, observation: Observation) -> Action:
        """Maps what is seen and chooses the next action."""
        depth_m = np.asarray(thinned(observation["depth_m"], MAP_PX), np.float32)
        points, failed = self.walk.see(depth_m)
        seen = self._eyes.relevance(observation)
        on_depth = self._placed(_on_grid(seen, depth_m.shape), points)
        self._glimpse = self.walk.memory.see(points, on_depth, self.walk.pose, STOP_WITHIN_M)
        if failed:
            self._queue.clear()
        action = self._choose(observation)
        self.walk.odometry.will(action)
        self.insight = Insight(self._phase, seen.map, self.walk)
        return action

    def _placed(self, seen: Relevance, points: Points) -> Relevance:
        """Weighs what is seen by where the sentence says that it is."""
        if self._surroundings is None or not isinstance(self._eyes, LocalizerEyes):
            return seen
        beside = [_on_grid(other, seen.map.shape) for other in self._eyes.beside()]
        return self._surroundings.weigh(points, seen, beside)

    def _choose(self, observation: Observation) -> Action:
        walk = self.walk
        if self._guess is not None and self._guess.going:
            self._phase = "exploit"
        elif len(walk.memory.targets()) == 0:
            self._phase = "spin" if self._phase == "spin" and self._queue else "explore"
        elif self._phase != "exploit":
            self._phase = "exploit"
            self._queue.clear()
        over = self._stops_last and walk.step >= walk.body.steps
        if over or self._approach.stops(walk, self._glimpse):
            return "Stop"
        if not self._queue:
            self._queue.extend(self._plan(observation))
        return self._queue.popleft()

    def _plan(self, observation: Observation) -> list[Action]:
        actions = [] if self._guess is None else self._guess.actions(self.walk)
        if not actions and self._phase == "exploit":
            actions = self._approach.approach(self.walk)
        if not actions and self._visits is not None and self._surroundings is not None:
            actions = self._visits.actions(self.walk, self._surroundings)
        if actions:
            return actions
        resets = self.walk.resets
        actions = self._explorer.explore(self.walk, observation)
        if self.walk.resets > resets and self._phase == "explore":
            self._phase = "spin"
        return actions


def _on_grid(relevance: Relevance, shape: tuple[int, ...]) -> Relevance:
    return replace(relevance, map=stretched(relevance.map, (shape[0], shape[1])))
