"""Heats: real ones of the cheapest world, encoders that misbehave, and the evaluation that counts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from see_stubs import Spoiled

from pentathlon.core import EntrantEntry, EntrantError, Outcome, Workspace, resolve_entrant
from pentathlon.engine.workers.workbench import Workbench
from pentathlon.events.see import trial
from pentathlon.events.see.features import training_set
from pentathlon.events.see.learners import Learned, trainable_copy
from pentathlon.events.see.rollouts import Evaluation
from pentathlon.events.see.tasks import SeeTask, make_task
from pentathlon.events.see.trial import open_environment, run_heat
from pentathlon.models.encoders.crew import Crew
from pentathlon.models.encoders.factories import pixels, random_vit
from pentathlon.storage import ArrayCache

NAME = "dmcontrol-reacher-easy"
ENTRY = EntrantEntry("stub", "encoder", "", "see_stubs:stub")


def rehearsed(**changes: Any) -> SeeTask:
    task = make_task(NAME, "lite", rehearse=True)
    return SeeTask(replace(task.protocol, **changes))


def run(task: SeeTask, encoder: Any, folder: Path) -> list[Outcome]:
    return list(Workbench(task, encoder, Workspace(folder), ENTRY).run(task.heats()[0]))


@pytest.fixture(scope="module")
def tiny() -> Any:
    return random_vit("tiny", image_size=32)


def test_a_heat_records_episodes_encoder_and_pictures(tmp_path: Path, tiny: Any) -> None:
    first, second = run(rehearsed(), tiny, tmp_path)
    assert (first.status, first.error) == ("ok", "")
    parameters = sum(parameter.numel() for parameter in tiny.module.parameters())
    assert first.details == {"encoder": tiny.fingerprint, "parameters": parameters}
    assert second.details["encoder"] == tiny.fingerprint
    assert (first.cluster, first.steps, second.artifacts) == ("seed-100", 4, {})
    assert set(first.artifacts) == {"video", "learning curve", "learning curve (numbers)", "policy"}
    assert all((tmp_path / path).stat().st_size for path in first.artifacts.values())
    assert "Best evaluation" in (tmp_path / first.artifacts["learning curve"]).read_text()


def test_a_limited_heat_gives_its_episodes_the_same_scores(tmp_path: Path) -> None:
    task, encoder = rehearsed(evaluation_episodes=3), pixels(4)
    heat = task.heats()[0]
    every = {outcome.trial: outcome for outcome in run_heat(task.protocol, heat, encoder, Workspace(tmp_path / "a"))}
    left = replace(heat, trials=heat.trials[1:])
    for outcome in run_heat(task.protocol, left, encoder, Workspace(tmp_path / "b")):
        whole = every.pop(outcome.trial)
        assert (outcome.metrics, outcome.seed) == (whole.metrics, whole.seed)
    assert list(every) == [heat.trials[0]]


def test_end_to_end_trains_a_copy(tmp_path: Path, tiny: Any) -> None:
    from safetensors.numpy import load_file

    before = {name: tensor.clone() for name, tensor in tiny.module.state_dict().items()}
    outcome = run(rehearsed(adapt="e2e", encoder_learning_rate=1e-3), tiny, tmp_path)[0]
    assert outcome.error == ""
    tuned = load_file(tmp_path / outcome.artifacts["encoder"])
    after = tiny.module.state_dict()
    assert all(bool((after[name] == tensor).all()) for name, tensor in before.items())
    moved = np.abs(tuned["blocks.0.attn.qkv.weight"] - before["blocks.0.attn.qkv.weight"].numpy()).max()
    assert 1e-5 < moved < 1e-1
    assert (tmp_path / outcome.artifacts["attention"]).stat().st_size > 1000


def test_end_to_end_refuses_what_has_no_weights(tmp_path: Path) -> None:
    outcomes = run(rehearsed(adapt="e2e"), pixels(4), tmp_path)
    assert {outcome.status for outcome in outcomes} == {"error"}
    assert "expects a trainable encoder" in outcomes[0].error
    assert "--adapt frozen" in outcomes[0].error
    with pytest.raises(EntrantError, match="Spoiled is not"):
        trainable_copy(Spoiled("nan"))


@pytest.mark.parametrize(
    ("factory", "reason"),
    [
        ("nan_encoder", "expected finite numbers, got NaN or infinity for image 3"),
        ("wide_encoder", r"expected shape \[4, 2\], got \[4, 3\]"),
        ("short_encoder", r"expected shape \[4, 2\], got \[3, 2\]"),
    ],
)
def test_misbehaving_encoders_become_errors_and_leave_no_cache(factory: str, reason: str, tmp_path: Path) -> None:
    encoder = resolve_entrant(f"see_stubs:{factory}").make()
    outcomes = run(rehearsed(), encoder, tmp_path / "run")
    assert [outcome.status for outcome in outcomes] == ["error", "error"]
    for outcome in outcomes:
        assert outcome.error.startswith("EntrantError: Spoiled pooled features")
        assert re.search(reason, outcome.error)
    assert not list(ArrayCache().folder.glob("*"))


def test_features_are_the_same_kept_or_new_and_in_any_batches(
    tmp_path: Path, tiny: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    protocol, cache = rehearsed().protocol, ArrayCache(tmp_path / "arrays")
    environment = open_environment(protocol)
    with Crew(2) as crew:
        new = training_set(protocol, tiny, environment, cache, crew)
        assert cache.stats().entries == protocol.demonstrations
        monkeypatch.setattr("pentathlon.models.encoders.crew.ENCODE_BATCH", 3)
        other = training_set(protocol, tiny, environment, ArrayCache(tmp_path / "other"), crew)
        monkeypatch.setattr(type(tiny), "encode", lambda self, images: pytest.fail("encoded again"))
        kept = training_set(protocol, tiny, environment, cache, crew)
        monkeypatch.setattr("pentathlon.events.see.features.device_of", lambda encoder: "cuda")
        with pytest.raises(pytest.fail.Exception, match="encoded again"):
            training_set(protocol, tiny, environment, cache, crew)
    environment.close()
    assert new.inputs.shape == (protocol.demonstrations * protocol.task.horizon, 3 * tiny.spec.dim)
    for again in (other, kept):
        np.testing.assert_array_equal(again.inputs, new.inputs)
        np.testing.assert_array_equal(again.actions, new.actions)


def test_the_best_evaluation_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pentathlon.learning.policies.cloning import ClonedPolicy

    task = rehearsed(evaluate_every_epochs=5, recipe=replace(rehearsed().protocol.recipe, epochs=12))
    encoder, policy = pixels(1), ClonedPolicy(3, 2, task.protocol.recipe)
    epochs = [Learned(number, 1.0 / number, policy, encoder) for number in range(1, 13)]
    means = {5: (10.0, 30.0), 10: (90.0, 50.0), 12: (40.0, 60.0)}
    evaluations = iter(means.values())
    film = np.zeros((1, 8, 8, 3), np.uint8)
    monkeypatch.setattr(trial, "learn", lambda *arguments: iter(epochs))
    monkeypatch.setattr(trial, "play", lambda *arguments: Evaluation(next(evaluations), film))
    outcomes = list(run_heat(task.protocol, task.heats()[0], encoder, Workspace(tmp_path)))
    assert [outcome.metrics["score"] for outcome in outcomes] == [0.9, 0.5]
    # The first episode is scored where the second does best, at epoch 12, the second where the first does, at 10.
    assert [outcome.metrics["held_out_score"] for outcome in outcomes] == [0.4, 0.5]
    assert [outcome.metrics["last_score"] for outcome in outcomes] == [0.4, 0.6]
    curve = json.loads((tmp_path / outcomes[0].artifacts["learning curve (numbers)"]).read_text())
    assert [(point["epoch"], point["score"]) for point in curve] == [(5, 20.0), (10, 70.0), (12, 50.0)]
    from safetensors import safe_open

    with safe_open(str(tmp_path / outcomes[0].artifacts["policy"]), framework="numpy") as file:
        assert json.loads(file.metadata()["epoch"]) == 10
