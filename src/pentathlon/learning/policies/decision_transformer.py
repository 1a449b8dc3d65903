"""Decision transformer (Chen et al. 2021): actions as the next words after returns, states and actions before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor, nn
from transformers import DecisionTransformerConfig, DecisionTransformerModel

from pentathlon.core.errors import DataError
from pentathlon.core.identity import to_plain
from pentathlon.learning.descent import descend
from pentathlon.learning.policies.chunks import bounds_of
from pentathlon.learning.policies.policy import (
    Arrays,
    PolicyState,
    Progress,
    Settings,
    Training,
    observe,
    read_settings,
)
from pentathlon.learning.policies.recipes import DtRecipe
from pentathlon.learning.policies.scaling import Standard
from pentathlon.learning.policies.training import load_weights, report, seeded, weights_of
from pentathlon.learning.policies.trajectories import JOINTS, Floats, Trajectory, choose, select, subsample


def returns_to_go(rewards: Floats) -> Floats:
    """Sum of the rewards from each step to the end, ``[T]``."""
    return np.cumsum(rewards[::-1], dtype=np.float64)[::-1].astype(np.float32)


def return_prompt(trajectories: Sequence[Trajectory], share: float) -> float:
    """Mean return in grams of the given share of trajectories with the highest."""
    return float(np.mean([trajectory.total_reward_g for trajectory in select(trajectories, share)]))


class Scale(NamedTuple):
    """What the transformer needs to know of its data.

    Attributes:
        prompt_g: the return asked for.
        unit_g: by which returns are divided.
        longest: steps of the longest trajectory; later steps count as the last.
    """

    prompt_g: float
    unit_g: float
    longest: int


class Window(NamedTuple):
    """A batch of histories, ``[B, K, ...]``; ``known`` is 0 before the start."""

    states: Tensor
    actions: Tensor
    returns: Tensor
    times: Tensor
    known: Tensor


class DtPolicy:
    """Keeps the last frames and asks for a good return.

    The reward comes at the end only, so that the return still to go stays what was asked for. An action stands for
    ``period`` control steps: the targets in between lie on a line from the last one, as the recorded ones nearly do.
    """

    def __init__(
        self,
        recipe: DtRecipe,
        embedding_size: int,
        scale: Scale,
        network: nn.Module,
        inputs: Standard,
        outputs: Standard,
    ) -> None:
        self.recipe, self.embedding_size, self.scale = recipe, embedding_size, scale
        self._network, self._inputs, self._outputs = network.eval(), inputs, outputs
        self.reset()

    def reset(self) -> None:
        """Forgets the history."""
        self._states: deque[Floats] = deque(maxlen=self.recipe.window)
        self._actions: deque[Floats] = deque(maxlen=self.recipe.window)
        self._steps = 0
        self._last_target: Floats | None = None

    def act(self, joints: Floats, embedding: Floats | None = None) -> Floats:
        """Returns the next ``period`` targets, ``[period, 7]`` in radians."""
        row = observe(joints, embedding, self.embedding_size)
        self._states.append(self._inputs.apply(row))
        self._actions.append(np.zeros(JOINTS, np.float32))
        self._steps += 1
        self._actions[-1] = self._predict()
        target = self._outputs.undo(self._actions[-1])
        start = row[:JOINTS] if self._last_target is None else self._last_target
        self._last_target = target
        share = np.arange(1, self.recipe.period + 1, dtype=np.float32)[:, None] / self.recipe.period
        return start + share * (target - start)

    @torch.no_grad()
    def _predict(self) -> Floats:
        seen = len(self._states)
        times = np.minimum(np.arange(self._steps - seen, self._steps), self.scale.longest - 1)
        window = Window(
            torch.from_numpy(np.stack(self._states))[None],
            torch.from_numpy(np.stack(self._actions))[None],
            torch.full((1, seen, 1), self.scale.prompt_g / self.scale.unit_g),
            torch.from_numpy(times)[None],
            torch.ones(1, seen),
        )
        action: Floats = predict_actions(self._network, window)[0, -1].numpy()
        return action

    def state(self) -> PolicyState:
        """Returns weights, statistics, scale and recipe."""
        arrays = weights_of(self._network) | self._inputs.arrays("inputs") | self._outputs.arrays("outputs")
        settings = {"recipe": to_plain(self.recipe), "embedding_size": self.embedding_size, **self.scale._asdict()}
        return PolicyState(arrays, settings)

    @classmethod
    def from_state(cls, arrays: Arrays, settings: Settings) -> Self:
        """Makes the policy again."""
        recipe, size = read_settings(settings, DtRecipe)
        scale = _read_scale(settings)
        network = _network(recipe, size, scale)
        load_weights(network, arrays)
        inputs = Standard.from_arrays(arrays, "inputs", JOINTS + size)
        return cls(recipe, size, scale, network, inputs, Standard.from_arrays(arrays, "outputs", JOINTS))


def _read_scale(settings: Settings) -> Scale:
    try:
        return Scale(float(settings["prompt_g"]), float(settings["unit_g"]), int(settings["longest"]))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"Expected prompt_g, unit_g and longest in a decision transformer's settings: {error}."
        ) from error


def predict_actions(network: nn.Module, window: Window) -> Tensor:
    """Returns the standardised action after each state, ``[B, K, 7]``."""
    output = network(
        states=window.states,
        actions=window.actions,
        returns_to_go=window.returns,
        timesteps=window.times,
        attention_mask=window.known,
    )
    predicted: Tensor = output.action_preds
    return predicted


def train_dt(trajectories: Sequence[Trajectory], recipe: DtRecipe, training: Training) -> DtPolicy:
    """Trains to predict each action of a window from what came before it and the return that followed.

    Raises:
        DataError: when the selection is empty or embeddings differ in length.
    """
    whole, size = choose(trajectories, recipe.selection)
    chosen = [subsample(trajectory, recipe.period) for trajectory in whole]
    inputs = Standard.of(np.concatenate([trajectory.inputs for trajectory in chosen]))
    outputs = Standard.of(np.concatenate([trajectory.actions for trajectory in chosen]))
    highest_g = max(trajectory.total_reward_g for trajectory in chosen)
    scale = Scale(
        return_prompt(chosen, recipe.prompt_share), highest_g if highest_g > 0 else 1.0, max(map(len, chosen))
    )
    with seeded(training.seed, training.device):
        network = _network(recipe, size, scale).to(training.device)
        windows = HistoryWindows(chosen, inputs, outputs, scale, recipe.window, training.device)
        _fit(network, windows, recipe, training.progress)
    return DtPolicy(recipe, size, scale, network.cpu(), inputs, outputs)


def _network(recipe: DtRecipe, embedding_size: int, scale: Scale) -> nn.Module:
    config = DecisionTransformerConfig(
        state_dim=JOINTS + embedding_size,
        act_dim=JOINTS,
        hidden_size=recipe.width,
        max_ep_len=scale.longest,
        action_tanh=False,
        n_positions=3 * recipe.window,
        n_layer=recipe.layers,
        n_head=recipe.heads,
        n_inner=4 * recipe.width,
        activation_function="relu",
        use_cache=False,
        bos_token_id=None,
        eos_token_id=None,
        resid_pdrop=recipe.dropout,
        embd_pdrop=recipe.dropout,
        attn_pdrop=recipe.dropout,
    )
    make: Callable[[Any], nn.Module] = DecisionTransformerModel  # typed in some releases of transformers only
    return make(config)


class HistoryWindows:
    """Histories that end at any step, shorter ones known from the right."""

    def __init__(
        self, chosen: Sequence[Trajectory], inputs: Standard, outputs: Standard, scale: Scale, length: int, device: str
    ) -> None:
        firsts = bounds_of(chosen).firsts
        times = np.arange(len(firsts)) - firsts
        returns = np.concatenate([returns_to_go(trajectory.rewards) for trajectory in chosen]) / scale.unit_g
        states = inputs.apply_in_place(np.concatenate([trajectory.inputs for trajectory in chosen]))
        actions = outputs.apply_in_place(np.concatenate([trajectory.actions for trajectory in chosen]))
        self._states, self._actions, self._returns, self._times, self._firsts = (
            torch.from_numpy(array).to(device) for array in (states, actions, returns[:, None], times, firsts)
        )
        self._past = torch.arange(1 - length, 1, device=device)

    def draw(self, count: int) -> Window:
        """Draws windows with torch's generator."""
        ends = torch.randint(len(self._times), (count,)).to(self._times.device)
        rows = ends[:, None] + self._past
        known = rows >= self._firsts[ends, None]
        rows = rows.clamp(min=0)
        return Window(
            self._states[rows], self._actions[rows], self._returns[rows], self._times[rows], known.to(torch.float32)
        )


def _fit(network: nn.Module, windows: HistoryWindows, recipe: DtRecipe, progress: Progress | None) -> None:
    optimiser = torch.optim.AdamW(network.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda done: min((done + 1) / recipe.warmup_steps, 1.0))
    network.train()
    for number in range(1, recipe.steps + 1):
        window = windows.draw(recipe.batch_size)
        known = window.known.bool()
        loss = nn.functional.mse_loss(predict_actions(network, window)[known], window.actions[known])
        descend(optimiser, loss, recipe.largest_gradient)
        schedule.step()
        report(progress, number, recipe.steps, loss)
