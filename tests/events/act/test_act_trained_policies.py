"""Features, training and trained policies of act, on twelve small episodes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from act_stand_ins import START, StandInPolicy, StandInRobot, turned

from pentathlon.core import DataError, UnknownIdError, UsageError, compare_specs, resolve_entrant
from pentathlon.core.entrant_folder import read_manifest
from pentathlon.core.entrants import kind_of
from pentathlon.events.act.data.dataset import open_dataset
from pentathlon.events.act.data.features import embedded
from pentathlon.events.act.data.toto_pickle import export_toto
from pentathlon.events.act.policies import sprint
from pentathlon.events.act.policies.trained import TrainedPolicy, open_encoder, save_policies
from pentathlon.events.act.protocol import make_protocol
from pentathlon.events.act.study import SIZES, Cell, Study, run_study
from pentathlon.events.act.training import hold_out, learned_from, load_features, make_recipe, train_policy
from pentathlon.events.act.trial import run_trial
from pentathlon.learning.policies.policy import Training
from pentathlon.learning.policies.recipes import BcRecipe, VinnRecipe
from pentathlon.learning.policies.trajectories import Trajectory, select
from pentathlon.models.encoders.crew import Crew
from pentathlon.storage import ArrayCache

FEATURES = "mean-colour"


@pytest.fixture
def agent(collected: Path, tmp_path: Path) -> Path:
    recipe = make_recipe("bc", '{"horizon": 4, "epochs": 3, "hidden": [8]}')
    train_policy("bc", recipe, str(collected), FEATURES, tmp_path / "agent", seeds=(0, 1))
    return tmp_path / "agent"


def test_embeddings_are_held_as_pictures_are_and_computed_once(
    collected: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, encoder, cache = open_dataset(collected), open_encoder(FEATURES), ArrayCache(tmp_path / "arrays")
    assert encoder is not None
    with Crew(1) as crew:
        new = embedded(dataset, encoder, cache, crew=crew)
        monkeypatch.setattr(type(encoder), "encode", lambda self, images: pytest.fail("encoded again"))
        kept = embedded(dataset, encoder, cache, crew=crew)
    assert cache.stats().entries == len(dataset)
    for one, other in zip(new, kept, strict=True):
        assert one.embeddings is not None
        assert one.embeddings.shape == (8, 3)
        np.testing.assert_array_equal(one.embeddings, other.embeddings)
        np.testing.assert_array_equal(one.embeddings[0], one.embeddings[2])
        assert (one.embeddings[2] != one.embeddings[3]).any()


def test_embeddings_of_another_rate_are_not_taken_for_those_of_this_one(collected: Path, tmp_path: Path) -> None:
    dataset, encoder, cache = open_dataset(collected), open_encoder(FEATURES), ArrayCache(tmp_path / "arrays")
    assert encoder is not None
    with Crew(1) as crew:
        embedded(dataset, encoder, cache, crew=crew)
        every = embedded(replace(dataset, frame_every=1), encoder, cache, crew=crew)[1].embeddings
        frames = np.stack(list(dataset.frames(1)))
        np.testing.assert_array_equal(every, encoder.encode(frames).pooled)


def test_only_what_is_learned_from_or_measured_with_is_encoded(collected: Path, tmp_path: Path) -> None:
    dataset, encoder, cache = open_dataset(collected), open_encoder(FEATURES), ArrayCache(tmp_path / "arrays")
    assert encoder is not None
    needed = {trajectory.id for trajectory in learned_from(0.01, dataset.trajectories())}
    with Crew(1) as crew:
        found = embedded(dataset, encoder, cache, crew=crew, needed=needed)
    assert cache.stats().entries == len(needed) == 2
    assert {trajectory.id for trajectory in found if trajectory.embeddings is not None} == needed
    parts = hold_out(found)
    assert {trajectory.id for trajectory in (*select(parts.train, 0.01), *parts.validation)} == needed


def test_joints_alone_leave_embeddings_of_others_aside(tmp_path: Path) -> None:
    trajectories = [replace(_with_reward(index, 1.0), embeddings=np.ones((2, 3), np.float32)) for index in range(2)]
    export_toto(trajectories, tmp_path / "toto")
    assert [trajectory.embeddings for trajectory in load_features(str(tmp_path / "toto"), "none")] == [None, None]
    with pytest.raises(DataError, match="its cam0c names none. Train on joints alone"):
        load_features(str(tmp_path / "toto"), FEATURES)


def test_only_operated_successes_are_held_out(collected: Path) -> None:
    trajectories = open_dataset(collected).trajectories()
    parts = hold_out(trajectories)
    assert len(parts.validation) == 1
    assert all(trajectory.successful and trajectory.source == "teleop" for trajectory in parts.validation)
    assert len(parts.train) == 11
    few = [trajectory for trajectory in trajectories if trajectory.source != "teleop"]
    with pytest.raises(DataError, match="more than 1 operated, successful trajectories, .* got 0 of 7"):
        hold_out(few)


def test_a_trained_agent_acts_with_the_seed_it_is_asked_for(agent: Path) -> None:
    policy: Any = resolve_entrant(f"policy@{agent}").make()
    assert kind_of(policy) == "policy"
    compare_specs(make_protocol("scoop", "lite").spec, policy.spec)
    assert read_manifest(agent).factory == "agent:make"
    robot, protocol = StandInRobot(), replace(make_protocol("scoop", "sprint"), horizon_steps=6)
    robot.prepare(protocol.trials()[0].setup)
    seen = robot.sense().observation()
    first, second = (policy.for_seed(seed).predict(seen) for seed in (0, 1))
    assert first.shape == (4, 7)
    assert (first != second).any()
    assert run_trial(robot, policy, protocol.trials()[0], protocol).status == "ok"
    with pytest.raises(UnknownIdError, match="training seed '7'"):
        policy.for_seed(7)


def test_training_is_repeatable_and_measures_itself(agent: Path, collected: Path, tmp_path: Path) -> None:
    recipe = make_recipe("bc", '{"horizon": 4, "epochs": 3, "hidden": [8]}')
    train_policy("bc", recipe, str(collected), FEATURES, tmp_path / "again", seeds=(0, 1))
    for seed in (0, 1):
        name = f"seed-{seed}/policy.safetensors"
        assert (tmp_path / "again" / name).read_bytes() == (agent / name).read_bytes()
    notes = json.loads((agent / "trained.json").read_text())
    assert notes["offline_errors"]["0"]["steps"] == 8
    assert notes["offline_errors"]["0"]["joint_error_rad2"] > 0.0


def test_actions_stay_within_the_joints_limits() -> None:
    class Wild:
        embedding_size = 0

        def reset(self) -> None: ...

        def act(self, joints: np.ndarray, embedding: object = None) -> np.ndarray:
            return np.full((2, 7), 9.0, np.float32)

    policy = TrainedPolicy(None, {0: Wild()}, 0)  # type: ignore[dict-item]
    protocol = replace(make_protocol("pour", "sprint"), horizon_steps=4)
    assert run_trial(StandInRobot(), policy, protocol.trials()[0], protocol).status == "ok"


def test_a_trained_encoder_travels_with_its_agent(collected: Path, tmp_path: Path) -> None:
    from pentathlon.models.encoders.resnet import ResNet
    from pentathlon.models.encoders.trained import save_trained

    file = tmp_path / "mine.safetensors"
    save_trained(file, ResNet(18, image_size=32), history={})
    recipe = make_recipe("vinn", '{"horizon": 4}')
    train_policy("vinn", recipe, str(collected), f"trained@{file}", tmp_path / "agent", seeds=(0,))
    file.unlink()
    policy = TrainedPolicy.load(tmp_path / "agent")
    robot = StandInRobot()
    robot.prepare(make_protocol("scoop", "sprint").trials()[0].setup)
    assert policy.predict(robot.sense().observation()).shape == (4, 7)


def test_an_agent_is_not_written_over_another(agent: Path, collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.read_bytes() for path in agent.rglob("*") if path.is_file()}
    monkeypatch.setattr("pentathlon.events.act.training.load_features", lambda *_, **__: pytest.fail("began to train"))
    with pytest.raises(DataError, match="new or an empty folder for the policy, got .*, which is not empty"):
        train_policy("bc", BcRecipe(), str(collected), FEATURES, agent, seeds=(0, 1, 2))
    with pytest.raises(DataError, match="which is not empty. Choose another"):
        save_policies(agent, {}, "bc", FEATURES, {})
    assert {path: path.read_bytes() for path in agent.rglob("*") if path.is_file()} == before


def test_an_agent_that_could_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    from pentathlon.learning.policies.vinn import train_vinn

    policy = train_vinn(
        [replace(_with_reward(0, 1.0), embeddings=np.ones((2, 3), np.float32))], VinnRecipe(), Training(seed=0)
    )
    out = tmp_path / "agents" / "mine"
    with pytest.raises(TypeError, match="not JSON serializable"):
        save_policies(out, {0: policy}, "vinn", FEATURES, {"recipe": object()})
    assert not any(out.parent.iterdir())
    out.mkdir()
    save_policies(out, {0: policy}, "vinn", FEATURES, {})
    assert TrainedPolicy.load(out).fingerprint
    assert [path.name for path in out.parent.iterdir()] == ["mine"]


def test_of_two_trainings_into_one_folder_the_first_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "mine"

    def other_is_faster(folder: Path, features: str) -> str:
        out.mkdir()
        (out / "entrant.json").write_text("first")
        return features

    monkeypatch.setattr("pentathlon.events.act.policies.trained._keep_encoder", other_is_faster)
    with pytest.raises(DataError, match="which is not empty"):
        save_policies(out, {}, "bc", FEATURES, {})
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert (out / "entrant.json").read_text() == "first"


def test_a_builtin_encoder_travels_too(tmp_path: Path) -> None:
    from pentathlon.learning.policies.vinn import train_vinn

    seen = replace(_with_reward(0, 1.0), embeddings=np.ones((2, 192), np.float32))
    policy = train_vinn([seen], VinnRecipe(), Training(seed=0))
    save_policies(tmp_path / "agent", {0: policy}, "vinn", "moco-tiny", {})
    assert json.loads((tmp_path / "agent" / "trained.json").read_text())["features"] == "trained@encoder.safetensors"
    moved = (tmp_path / "agent").rename(tmp_path / "moved")
    (mine, own) = TrainedPolicy.load(moved), open_encoder("moco-tiny")
    image = np.random.default_rng(0).integers(0, 256, (1, 24, 32, 3), dtype=np.uint8)
    assert mine._encoder is not None
    assert own is not None
    np.testing.assert_array_equal(mine._encoder.encode(image).pooled, own.encode(image).pooled)


@pytest.mark.parametrize(("prefix", "numbers"), [("grid@", 3072), ("patches@", 12288)])
def test_an_encoder_whose_patches_are_taken_travels_too(prefix: str, numbers: int, tmp_path: Path) -> None:
    from pentathlon.learning.policies.vinn import train_vinn

    seen = replace(_with_reward(0, 1.0), embeddings=np.ones((2, numbers), np.float32))
    policy = train_vinn([seen], VinnRecipe(), Training(seed=0))
    save_policies(tmp_path / "agent", {0: policy}, "vinn", f"{prefix}moco-tiny", {})
    notes = json.loads((tmp_path / "agent" / "trained.json").read_text())
    assert notes["features"] == f"{prefix}trained@encoder.safetensors"
    mine = TrainedPolicy.load((tmp_path / "agent").rename(tmp_path / "moved"))
    assert mine._encoder is not None
    assert mine._encoder.spec.dim == numbers


@pytest.mark.parametrize("changes", ['{"epoch": 3}', "[3]", "no json", '{"epochs": "many"}'])
def test_wrong_recipes_are_refused(changes: str) -> None:
    with pytest.raises(UsageError, match="Expected changes of"):
        make_recipe("bc", changes)


def test_folders_that_hold_no_agent_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is no folder of a policy: expected entrant.json"):
        resolve_entrant(f"policy@{tmp_path}").make()
    (tmp_path / "trained.json").write_text("{}")
    with pytest.raises(DataError, match="Expected a trained policy"):
        resolve_entrant(f"policy@{tmp_path}").make()


def _with_reward(index: int, grams: float) -> Trajectory:
    rows = np.stack([START, START])
    return Trajectory(str(index), rows, rows, np.array([0.0, grams], np.float32), "teleop", {})


def test_table_four_takes_the_highest_rewards() -> None:
    # 20 trajectories, 14 of them successes, as 70 % of the paper's are.
    rewards = [0.0, 5.0, 3.0, 0.0, 9.0, 1.0, 2.0, 0.0, 7.0, 8.0, 4.0, 0.0, 6.0, 11.0, 10.0, 0.0, 12.0, 0.0, 13.0, 14.0]
    trajectories = [_with_reward(index, grams) for index, grams in enumerate(rewards)]
    sizes = {title: select(trajectories, share) for title, share in SIZES}
    assert [t.total_reward_g for t in sizes["5 %"]] == [14.0]
    assert sorted(t.total_reward_g for t in sizes["25 %"]) == [10.0, 11.0, 12.0, 13.0, 14.0]
    assert sorted(t.total_reward_g for t in sizes["50 %"]) == [float(grams) for grams in range(5, 15)]
    assert len(sizes["successes"]) == 14
    assert len(sizes["100 %"]) == 20


def test_a_study_trains_what_is_missing_and_leaves_rows_without_an_encoder_visible(tmp_path: Path) -> None:
    study = Study("features", ("pour",), "sprint", {"moco": FEATURES}, {"bc": BcRecipe(epochs=1)}, {})
    trained: list[str] = []

    def train(cell: Cell, folder: Path) -> None:
        trained.append(cell.row)
        folder.mkdir(parents=True)
        (folder / "entrant.json").write_text("{}")

    def test(cell: Cell, folder: Path) -> list[Any]:
        protocol = replace(make_protocol(cell.task, cell.tier), horizon_steps=4)
        policy = StandInPolicy([turned(1.5)])
        return [run_trial(StandInRobot(), policy, trial, protocol) for trial in protocol.trials()]

    text = run_study(study, tmp_path, train, test)
    assert run_study(study, tmp_path, train, test) == text
    assert trained == ["MoCo (in-domain)"]
    rows = text.splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == [
        "| BYOL (in-domain)",
        "| MoCo (in-domain)",
        "| MoCo (generic)",
        "| ResNet-50",
        "| R3M",
    ]
    assert "| 4.00 [2.16, –] | 0.0 | 100.0 [61.0, 100.0] |" in rows[1]
    assert rows[0].count("—") == 5


def test_a_study_names_what_it_does_not_know() -> None:
    with pytest.raises(UsageError, match="features named byol, .*, got 'mocoo'"):
        list(Study("sizes", ("scoop",), "lite", {"mocoo": FEATURES}, {}, {}).cells())
    with pytest.raises(UsageError, match="data named pour, scoop, got 'por'"):
        list(Study("sizes", ("scoop",), "lite", {}, {}, {"por": "DIR"}).cells())


def test_an_encoder_trained_again_under_its_name_gets_agents_of_its_own(tmp_path: Path) -> None:
    weights = tmp_path / "encoder.safetensors"
    (cell, *_) = Study("sizes", ("scoop",), "lite", {"moco": f"trained@{weights}"}, {}, {}).cells()
    folders = []
    for content in (b"first", b"second", b"first"):
        weights.write_bytes(content)
        folders.append(cell.folder(tmp_path))
    assert folders[0] == folders[2] != folders[1]


def test_table_three_uses_each_learners_own_encoder_and_table_four_only_varies_the_data() -> None:
    features = {"byol": "pixels-16", "moco": "mean-colour"}
    learners = list(Study("learners", ("scoop",), "lite", features, {}, {}).cells())
    assert [(cell.learner, cell.features) for cell in learners] == [
        ("bc", "mean-colour"),
        ("vinn", "pixels-16"),
        ("iql", "mean-colour"),
        ("dt", "mean-colour"),
    ]
    sizes = list(Study("sizes", ("scoop",), "lite", features, {}, {"scoop": "elsewhere"}).cells())
    assert [cell.recipe.selection for cell in sizes] == [0.05, 0.25, 0.5, "successful", 1.0]
    assert {cell.data for cell in sizes} == {"elsewhere"}
    assert len({cell.folder(Path()) for cell in sizes}) == 5
    with pytest.raises(UsageError, match="got 'clip'"):
        list(Study("sizes", ("scoop",), "lite", {"clip": "x"}, {}, {}).cells())


def test_a_sprint_policy_of_another_recipe_is_another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sprint.SprintPolicy("bc").fingerprint
    assert before.startswith("sprint-bc-")
    monkeypatch.setitem(sprint.CHANGES, "bc", "{}")
    assert sprint.SprintPolicy("bc").fingerprint != before
