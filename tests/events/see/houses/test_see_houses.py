"""See's house tasks: demonstrators succeed, policies are cloned from them, and ImageNav plays what was trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from pentathlon.core import Outcome, Workspace, resolve_entrant
from pentathlon.core.errors import DataError, EntrantError, UsageError
from pentathlon.engine.folders.run_info import RunInfo
from pentathlon.events.see.houses import imagenav, mobilepick, objectnav, trial
from pentathlon.events.see.houses.protocol import HouseProtocol, make_house_protocol
from pentathlon.events.see.houses.tasks import HOUSE_TABLE, HouseTask, make_house_task
from pentathlon.events.see.houses.worlds import Shown, demonstrate, open_world
from pentathlon.learning.recurrent.cloning import RecurrentPlayer, TaughtEpisode, clone_recurrent
from pentathlon.learning.recurrent.recipe import RecurrentRecipe
from pentathlon.models.encoders.factories import pixels
from pentathlon.storage import ArrayCache
from small_house import make_small_house


@pytest.fixture(autouse=True)
def _small_house(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (imagenav, mobilepick, objectnav):
        monkeypatch.setattr(module, "split_house", lambda split, place: make_small_house())
    monkeypatch.setattr(objectnav, "HABITAT_TYPES", ("Fridge", "Mug"))


def tiny(name: str, **changes: object) -> HouseProtocol:
    few = {"demonstrations": 1, "taught_houses": 1, "tested_houses": 1, "episodes": 1, "size_px": 32, **changes}
    return replace(make_house_protocol(name, "sprint"), **few)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "last"), [("objectnav", "Stop"), ("mobilepick", "Grasp")])
def test_demonstrators_succeed_and_are_cloned(
    name: str, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "ArrayCache", lambda: ArrayCache(tmp_path))
    protocol = tiny(name, steps=100, recipe=RecurrentRecipe(epochs=2))
    world = open_world(protocol)
    try:
        shown = next(filter(None, (demonstrate(world, protocol, "train", 0, seed) for seed in range(12))))
    finally:
        world.close()
    assert world.choices[shown.actions[-1]] == last
    assert shown.frames.shape == (len(shown.actions), 32, 32, 3)
    assert np.isfinite(shown.states).all()
    task = HouseTask(replace(protocol, steps=4))
    monkeypatch.setattr(trial, "demonstrations", lambda *_: iter([("one", shown)]))
    outcomes = list(task.run(task.heats()[0], pixels(4), Workspace(tmp_path)))
    assert [outcome.trial for outcome in outcomes] == list(task.heats()[0].trials)
    assert outcomes[0].metrics["score"] in (0.0, 1.0)
    assert task.scores(outcomes)[0].metric == "score"


def test_a_recurrent_clone_learns_what_only_memory_can_tell() -> None:
    rng = np.random.default_rng(0)
    episodes = []
    for _ in range(32):  # the first input says which action comes last
        kind = int(rng.integers(2))
        inputs = np.zeros((6, 2), np.float32)
        inputs[0, kind] = 1.0
        episodes.append(TaughtEpisode(inputs, np.array([2, 2, 2, 2, 2, kind])))
    *_, last = clone_recurrent(episodes, 3, RecurrentRecipe(epochs=60, memory=32), seed=0)
    for kind in range(2):
        player = RecurrentPlayer(last.policy, seed=0, greedy=True)
        inputs = torch.zeros(6, 1, 2)
        inputs[0, 0, kind] = 1.0
        assert [player.act({"inputs": row}) for row in inputs] == [2, 2, 2, 2, 2, kind]


def test_imagenav_plays_the_policy_of_the_encoder(tmp_path: Path) -> None:
    encoder, protocol = pixels(4), tiny("imagenav", steps=5)
    with pytest.raises(EntrantError, match=f"{tmp_path} has none for this one"):
        list(imagenav.play_house(protocol, encoder, 0, [0], 0, tmp_path))
    policy = imagenav.new_policy(imagenav.features(encoder, np.zeros((32, 32, 3), np.uint8)))
    with torch.no_grad():
        policy.actor.bias[5] = 50.0  # it stops at once
    weights = {name: value.half() for name, value in policy.state_dict().items()}
    about = {"encoder": encoder.fingerprint, "side_px": "32", "fovy_deg": "90"}
    for name in ("imagenav-mine.safetensors", "policy.safetensors"):
        save_file(weights, tmp_path / name, about)
        ((measures, steps),) = imagenav.play_house(protocol, encoder, 0, [0], 0, tmp_path)
        assert steps == 1
        assert measures == {"score": 0.0, "spl": 0.0}
        (tmp_path / name).unlink()
    save_file(weights, tmp_path / "policy.safetensors", {**about, "side_px": "64"})
    with pytest.raises(EntrantError, match=r"got \{'side_px': '64'\} in policy.safetensors"):
        list(imagenav.play_house(protocol, encoder, 0, [0], 0, tmp_path))
    save_file(weights, tmp_path / "policy.safetensors", {"encoder": encoder.fingerprint, "side_px": "32"})
    with pytest.raises(EntrantError, match=r"got \{'fovy_deg': 'not told'\}"):
        list(imagenav.play_house(protocol, encoder, 0, [0], 0, tmp_path))
    save_file(weights, tmp_path / "imagenav-other.safetensors", {**about, "side_px": "64"})
    save_file(weights, tmp_path / "policy.safetensors", about)
    assert len(list(imagenav.play_house(protocol, encoder, 0, [0], 0, tmp_path))) == 1
    (tmp_path / "imagenav-other.safetensors").unlink()
    save_file({**weights, "actor.weight": torch.zeros(6, 3)}, tmp_path / "policy.safetensors", about)
    with pytest.raises(EntrantError, match="sees pictures alone"):
        list(imagenav.play_house(protocol, encoder, 0, [0], 0, tmp_path))


def test_another_policy_is_another_run_and_a_rehearsal_plays_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Expected policies of `pentathlon train imagenav`"):
        make_house_task("imagenav", "sprint", policies=str(tmp_path))
    encoder = pixels(4)
    policy = imagenav.new_policy(imagenav.features(encoder, np.zeros((128, 128, 3), np.uint8)))
    about = {"encoder": encoder.fingerprint, "side_px": "128", "fovy_deg": "90"}
    locations, steps = [], []
    for stops in (50.0, -50.0):
        with torch.no_grad():
            policy.actor.bias[5] = stops
        save_file(policy.state_dict(), tmp_path / "policy.safetensors", about)
        task = make_house_task("imagenav", "sprint", policies=str(tmp_path), rehearse=True)
        locations.append(RunInfo.describe(task, resolve_entrant("pixels-16")).location)
        (outcome,) = outcomes_of(task, task.heats()[0].trials, tmp_path).values()
        steps.append(outcome.steps)
    assert steps == [1, 3]
    assert locations[0] != locations[1]
    # The protocol is the same for both: their scores may stand side by side.
    task = make_house_task("imagenav", "sprint", policies=str(tmp_path))
    assert task.protocol == make_house_protocol("imagenav", "sprint")


class Empty:
    """A world that has no episode anywhere."""

    def begin(self, split: str, house: int, seed: int) -> bool:
        return False

    def close(self) -> None:
        """Has nothing to free."""


def outcomes_of(task: HouseTask, trials: Sequence[str], folder: Path) -> dict[str, Outcome]:
    heat = task.heats()[0]
    return {one.trial: one for one in task.run(heat.only(trials), pixels(4), Workspace(folder))}


def test_a_resumed_heat_plays_the_episodes_that_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = lambda _, world, encoder, policy, place, crew: ({"score": place[1] / 2**31}, place[0])  # noqa: E731
    monkeypatch.setattr(trial, "open_world", lambda _: Empty())
    monkeypatch.setattr(trial, "learn", lambda *_: None)
    monkeypatch.setattr(trial, "play", played)
    task = HouseTask(tiny("objectnav", tested_houses=3, episodes=2))
    trials = task.heats()[0].trials
    whole = outcomes_of(task, trials, tmp_path)
    assert list(whole) == list(trials)
    assert len({one.metrics["score"] for one in whole.values()}) == len(trials)
    for name, one in outcomes_of(task, trials[3:], tmp_path).items():
        assert one.metrics == whole[name].metrics
        assert (one.steps, one.seed) == (whole[name].steps, whole[name].seed)


def test_a_resumed_imagenav_heat_plays_the_episodes_that_are_left(tmp_path: Path) -> None:
    task = HouseTask(tiny("imagenav", episodes=3, tested_houses=2, steps=12, teacher="chance"))
    trials = task.heats()[0].trials
    whole = outcomes_of(task, trials, tmp_path)
    chosen = [trials[2], trials[5]]
    left = outcomes_of(task, chosen, tmp_path)
    assert [(one.metrics, one.steps) for one in left.values()] == [
        (whole[name].metrics, whole[name].steps) for name in chosen
    ]


def test_a_house_without_an_episode_is_told() -> None:
    with pytest.raises(DataError, match="validation house 3"):
        trial.enter(tiny("mobilepick"), Empty(), 3, 7)  # type: ignore[arg-type]


def test_further_houses_teach_where_some_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(np.zeros((1, 2, 2, 3), np.uint8), np.zeros((1, 2), np.float32), np.zeros(1, np.int64))
    able: set[int] = {1, 2, 3}
    monkeypatch.setattr(trial, "demonstrate", lambda _, protocol, split, house, seed: shown if house in able else None)
    protocol = tiny("mobilepick", demonstrations=6, taught_houses=2)
    assert len(list(trial.demonstrations(protocol, Empty(), ArrayCache(tmp_path / "a")))) == 6  # type: ignore[arg-type]
    able -= {2, 3}
    with pytest.raises(DataError, match="Expected 6 demonstrations of mobilepick, got 3"):
        list(trial.demonstrations(protocol, Empty(), ArrayCache(tmp_path / "b")))  # type: ignore[arg-type]


def test_rows_and_options() -> None:
    ids = [row.id for row in HOUSE_TABLE]
    assert "see/imagenav-v1" in ids
    assert "see/mobilepick-lite-v1" in ids
    assert {row.id for row in HOUSE_TABLE if row.needs} == {id for id in ids if "imagenav" in id}
    assert make_house_task("objectnav", "lite", renderer="raycast").id == "see/objectnav-lite-v1"
    with pytest.raises(UsageError, match="--renderer"):
        make_house_task("objectnav", "lite", renderer="opengl")
    with pytest.raises(UsageError, match="no --policies with mobilepick"):
        make_house_task("mobilepick", "lite", policies="mine")


def test_the_shipped_imagenav_policy_finds_places() -> None:
    encoder, protocol = resolve_entrant("mae-tiny").make(), make_house_protocol("imagenav", "lite")
    played = list(imagenav.play_house(protocol, encoder, 3, range(4), 100))
    assert sum(measures["score"] for measures, _ in played) >= 2


def test_trials_tell_their_policy_and_two_of_them_are_refused(tmp_path: Path) -> None:
    task, encoder = make_house_task("imagenav", "sprint"), pixels(4)
    assert task.content == {}
    assert imagenav.find_policy(tiny("imagenav", teacher="chance"), encoder) is None
    policy = imagenav.new_policy(imagenav.features(encoder, np.zeros((32, 32, 3), np.uint8)))
    about = {"encoder": encoder.fingerprint, "side_px": "32", "fovy_deg": "90"}
    played = list[Outcome]()
    for bias in (50.0, 40.0):
        with torch.no_grad():
            policy.actor.bias[5] = bias
        save_file(policy.state_dict(), tmp_path / "policy.safetensors", about)
        one = HouseTask(tiny("imagenav", steps=2), tmp_path)
        played += list(outcomes_of(one, one.heats()[0].trials, tmp_path).values())
    assert len({outcome.details["policy"] for outcome in played}) == 2
    with pytest.raises(DataError, match="Expected one policy in one run"):
        task.scores(played)
