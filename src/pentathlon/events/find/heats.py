"""Runs a heat of find: all trials in one house, which is built once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from pentathlon.core import DataError, Heat, Outcome, Workspace
from pentathlon.core.entrants import Agent
from pentathlon.events.find.episodes.files import read_houses
from pentathlon.events.find.episodes.records import FindEpisode
from pentathlon.events.find.pictures.film import Film
from pentathlon.events.find.protocol import FindProtocol, FindTrials
from pentathlon.events.find.trial import run_trial
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.kept_scenes import open_house
from pentathlon.worlds.houses.tasks.goals import InstanceGoal


def run_heat(
    protocol: FindProtocol, trials: FindTrials, heat: Heat, agent: Agent, workspace: Workspace
) -> Iterator[Outcome]:
    """Runs the heat's trials one after the other; none depends on those before it."""
    episodes = {episode.id: episode for episode in trials.episodes}
    house = changed_house(trials, str(heat.data["house"]))
    with closing(open_navigator(protocol, house)) as navigator:
        goals: dict[str, InstanceGoal] = {}
        for trial in heat.trials:
            episode = episodes[trial]
            if episode.target not in goals:
                goals[episode.target] = find_goal(navigator, episode, protocol)
            yield _run(navigator, goals[episode.target], episode, agent, protocol, workspace)


def changed_house(trials: FindTrials, name: str) -> House:
    """Returns a benchmark house as its capability has changed it."""
    house = read_houses()[name]
    return trials.changes[name].applied(house) if name in trials.changes else house


def open_navigator(protocol: FindProtocol, house: House) -> Navigator:
    """Builds a house and puts the protocol's body into it."""
    settings = NavigatorSettings(
        step_m=protocol.step_m,
        turn_deg=protocol.turn_deg,
        noisy=protocol.noisy,
        camera_height_m=protocol.camera_height_m,
        fovy_deg=protocol.fovy_deg,
        size_px=(protocol.size_px, protocol.size_px),
        segmentation=True,
        renderer=protocol.renderer,
    )
    return Navigator(open_house(house), settings)


def find_goal(navigator: Navigator, episode: FindEpisode, protocol: FindProtocol) -> InstanceGoal:
    """Returns the goal of an episode.

    Raises:
        DataError: when the target cannot be reached.
    """
    goal = InstanceGoal(navigator, episode.target, protocol.within_m)
    if not goal.reachable:
        raise DataError(
            f"Episode {episode.id!r}: expected a target that can be reached, got {episode.target!r} in "
            f"{episode.house!r}, visible from nowhere one can walk to. Check the episodes: pentathlon find check"
        )
    return goal


def _run(
    navigator: Navigator,
    goal: InstanceGoal,
    episode: FindEpisode,
    agent: Agent,
    protocol: FindProtocol,
    workspace: Workspace,
) -> Outcome:
    film = Film(episode, navigator) if workspace.videos else None
    outcome = run_trial(navigator, goal, episode, agent, protocol, film.add if film else None)
    artifacts = {} if film is None else film.save(workspace)
    return replace(outcome, artifacts=artifacts, details={**outcome.details, **_told_of_itself(agent)})


def _told_of_itself(agent: Agent) -> dict[str, Any]:
    """What an agent lets the record know: which weights it is, and notes of the episode."""
    fingerprint, notes = getattr(agent, "fingerprint", None), getattr(agent, "notes", None)
    known: dict[str, Any] = {"agent": fingerprint} if isinstance(fingerprint, str) else {}
    return {**known, "notes": dict(notes)} if isinstance(notes, Mapping) else known
