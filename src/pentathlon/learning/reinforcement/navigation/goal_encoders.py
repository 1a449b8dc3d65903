"""Encoders of what is seen and of the picture that is looked for, as policies for ImageNav have them."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from pentathlon.learning.reinforcement.ppo_policy import Encoder, Observations

SENSES = 4
_DEPTH_SCALE = 0.1  # metres to about one
_SHARPNESS = 4.0  # of likeness, a cosine


class GoalEncoder(Encoder):
    """Joins features of what is seen with those of the goal, and with what is sensed otherwise.

    Args:
        goals: pictures or features of all goals, looked up by the row that worlds tell.
        width: of the features.
        senses: whether the place and the turn since the start are observed.
    """

    def __init__(self, goals: Tensor, width: int, *, senses: bool = False) -> None:
        super().__init__(width + SENSES * senses)
        self._goals = goals

    def watch(self, goals: Tensor) -> None:
        """Takes the goals of other houses."""
        self._goals = goals

    def prepare(self) -> Tensor:
        """What is looked up for each step's goal."""
        return self._goals

    def joined(self, parts: list[Tensor], observations: Observations) -> Tensor:
        """Returns parts side by side, and the senses where there are any."""
        if "senses" in observations:
            parts = [*parts, observations["senses"]]
        return torch.cat([part.to(parts[0].dtype) for part in parts], dim=-1)


class ConvEye(nn.Module):
    """Three convolutions and a layer, on pictures whose channels come last in memory."""

    def __init__(self, channels: int, size_px: tuple[int, int], width: int) -> None:
        super().__init__()
        layers = [nn.Conv2d(channels, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU()]
        body = nn.Sequential(*layers, nn.Conv2d(64, 64, 3, 2), nn.ReLU(), nn.Flatten())
        self.layers = _with_layer(body, channels, size_px, width)

    def forward(self, rgb: Tensor, depth_m: Tensor | None) -> Tensor:
        """Features of pictures uint8 [N, H, W, 3] and depths [N, H, W]."""
        found: Tensor = self.layers(_pixels(rgb, depth_m))
        return found


class _Residual(nn.Module):
    """Two convolutions whose result is added to what they saw."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        layers = [nn.Conv2d(channels, channels, 3, 1, 1) for _ in range(2)]
        self.layers = nn.Sequential(nn.ReLU(), layers[0], nn.ReLU(), layers[1])

    def forward(self, x: Tensor) -> Tensor:
        """What was seen, changed a little."""
        found: Tensor = x + self.layers(x)
        return found


class DeepEye(nn.Module):
    """Nine convolutions with shortcuts (Espeholt et al. 2018), coarser from the first on, and a layer.

    Pictures are padded to eight channels, since a GPU multiplies numbers by eights.
    """

    def __init__(self, channels: int, size_px: tuple[int, int], width: int) -> None:
        super().__init__()
        self._padding = -channels % 8
        channels += self._padding
        first, second, third = nn.Conv2d(channels, 32, 8, 4), nn.Conv2d(32, 64, 3, 2, 1), nn.Conv2d(64, 128, 3, 2, 1)
        stages = [first, _Residual(32), nn.ReLU(), second, _Residual(64), nn.ReLU(), third, _Residual(128), nn.ReLU()]
        self.layers = _with_layer(nn.Sequential(*stages, nn.Flatten()), channels, size_px, width)

    def forward(self, rgb: Tensor, depth_m: Tensor | None) -> Tensor:
        """Features of pictures uint8 [N, H, W, C] and depths [N, H, W]."""
        pixels = functional.pad(_pixels(rgb, depth_m).permute(0, 2, 3, 1), (0, self._padding)).permute(0, 3, 1, 2)
        found: Tensor = self.layers(pixels)
        return found


class ConvImageGoal(GoalEncoder):
    """Sees with convolutions that are trained along: one eye for the present picture and one for the goal's."""

    def __init__(
        self, goals: Tensor, size_px: tuple[int, int], *, depth: bool = False, senses: bool = False, width: int = 512
    ) -> None:
        super().__init__(goals, 2 * width, senses=senses)
        self.eye, self.goal_eye = ConvEye(4 if depth else 3, size_px, width), ConvEye(3, size_px, width)

    def prepare(self) -> Tensor:
        """Codes of all goal pictures."""
        found: Tensor = self.goal_eye(self._goals, None)
        return found

    def forward(self, observations: Observations, prepared: Tensor) -> Tensor:
        """Features of what is seen beside those of the goal."""
        seen = self.eye(observations["rgb"], observations.get("depth_m"))
        return self.joined([seen, prepared[observations["goal_row"].long()]], observations)


class FusedImageGoal(GoalEncoder):
    """Sees the present picture and the goal's as one of six channels, so that the first layers already compare them.

    (Sun et al. 2023, FGPrompt, find that early fusion more than doubles success.)
    """

    def __init__(
        self, goals: Tensor, size_px: tuple[int, int], *, depth: bool = False, senses: bool = False, width: int = 512
    ) -> None:
        super().__init__(goals, width, senses=senses)
        self.eye = DeepEye(7 if depth else 6, size_px, width)

    def forward(self, observations: Observations, prepared: Tensor) -> Tensor:
        """Features of both pictures."""
        both = torch.cat([observations["rgb"], prepared[observations["goal_row"].long()]], dim=-1)
        return self.joined([self.eye(both, observations.get("depth_m"))], observations)


class PooledImageGoal(GoalEncoder):
    """Joins a frozen encoder's features of what is seen and of the goal; only layers behind them are trained."""

    def __init__(self, goals: Tensor, *, senses: bool = False, width: int = 512) -> None:
        super().__init__(goals, 2 * width, senses=senses)
        size = goals.shape[1]
        self.seen, self.goal = (nn.Sequential(nn.LayerNorm(size), nn.Linear(size, width), nn.ReLU()) for _ in range(2))

    def prepare(self) -> Tensor:
        """Codes of all goals."""
        found: Tensor = self.goal(self._goals.float())
        return found

    def forward(self, observations: Observations, prepared: Tensor) -> Tensor:
        """Features of what is seen beside those of the goal."""
        seen = self.seen(observations["features"].float())
        return self.joined([seen, prepared[observations["goal_row"].long()]], observations)


class PatchImageGoal(GoalEncoder):
    """Compresses a frozen encoder's patches [N, patches, D] of what is seen and of the goal, laid over each other.

    The compression layer is CortexBench's: convolutions over the grid of patches. Beside both patches of a place it
    sees how like the patch seen there is to each of the goal's, by which it can tell where the goal's things are now.
    """

    def __init__(self, goals: Tensor, *, senses: bool = False, width: int = 512, part: int = 64) -> None:
        super().__init__(goals, width, senses=senses)
        _, patches, size = goals.shape
        self._side = int(patches**0.5)
        self.norm = nn.LayerNorm(size)
        self.seen, self.goal, self.match = (nn.Linear(size, part) for _ in range(3))
        channels = 2 * part + patches
        layers = [nn.Conv2d(channels, 128, 3, 1, 1), nn.ReLU(), nn.Conv2d(128, 128, 3, 2, 1), nn.ReLU(), nn.Flatten()]
        flat = 128 * (-(-self._side // 2)) ** 2
        self.layers = nn.Sequential(*layers, nn.Linear(flat, width), nn.ReLU())

    def forward(self, observations: Observations, prepared: Tensor) -> Tensor:
        """Features of both grids."""
        seen, goals = (
            self.norm(x.float()) for x in (observations["features"], prepared[observations["goal_row"].long()])
        )
        mine, theirs = (functional.normalize(self.match(x).float(), dim=-1).to(x.dtype) for x in (seen, goals))
        alike = _SHARPNESS * torch.matmul(mine, theirs.transpose(1, 2))
        parts = [self.seen(seen), self.goal(goals)]
        both = torch.cat([*parts, alike.to(parts[0].dtype)], dim=-1)
        grid = both.reshape(len(both), self._side, self._side, -1).permute(0, 3, 1, 2)
        return self.joined([self.layers(grid)], observations)


def _pixels(rgb: Tensor, depth_m: Tensor | None) -> Tensor:
    kind = torch.bfloat16 if torch.is_autocast_enabled(rgb.device.type) else torch.float32
    pixels = rgb.to(kind) * (1 / 255)
    if depth_m is not None:
        pixels = torch.cat([pixels, _DEPTH_SCALE * depth_m.to(kind)[..., None]], dim=-1)
    return pixels.permute(0, 3, 1, 2)


def _with_layer(body: nn.Sequential, channels: int, size_px: tuple[int, int], width: int) -> nn.Sequential:
    with torch.no_grad():
        flat = body(torch.zeros(1, channels, size_px[1], size_px[0])).shape[1]
    body.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # as the pictures lie already
    return nn.Sequential(body, nn.Linear(flat, width), nn.ReLU())
