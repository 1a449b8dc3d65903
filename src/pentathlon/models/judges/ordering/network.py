"""The network of the judge that sees order: a vector of each frame among its neighbours, and one of each step.

Frames go through the lower half of the dense image-text network, whose weights it starts from; attention over time
tells opening from closing. Steps are read by the same network's text tower.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.image_text.dense import COARSE, DenseShape, PictureTower, TextTower
from pentathlon.models.image_text.minilm import MiniLm
from pentathlon.models.image_text.trained import TrainedDense

LARGEST_SCALE = 40.0


@dataclass(frozen=True)
class OrderShape:
    """Sizes of the network.

    Attributes:
        frames: of a film.
        image_size: side of the square frames in pixels.
        width: channels of a place, and of a frame.
        places_width: channels of each place that a frame's vector is made of.
        layers: of attention over places; those over time are one more.
        vector: length of the common vectors.
    """

    frames: int = 32
    image_size: int = 112
    width: int = 256
    places_width: int = 32
    layers: int = 3
    vector: int = 256
    text_width: int = 256
    text_layers: int = 2

    @property
    def dense(self) -> DenseShape:
        """The image-text network whose halves this one is made of."""
        return DenseShape(
            self.width, self.vector, self.layers, self.text_width, self.text_layers, image_size=self.image_size
        )


class FrameTower(nn.Module):
    """Returns vectors ``[B, width]`` of prepared frames ``[B, 4, H, W]``."""

    def __init__(self, shape: OrderShape) -> None:
        super().__init__()
        whole = PictureTower(shape.dense)
        self.stem1, self.stem2, self.stage2 = whole.stem1, whole.stem2, whole.stage2
        self.stage3, self.stage4, self.places, self.context = whole.stage3, whole.stage4, whole.places, whole.context
        side = shape.image_size // COARSE
        self.narrow = nn.Linear(shape.width, shape.places_width)
        self.gather = nn.Linear(side * side * shape.places_width + shape.width, shape.width)

    def forward(self, pixels: Tensor) -> Tensor:
        """Embeds frames, each by itself."""
        fine = self.stage2(F.relu(self.stem2(F.relu(self.stem1(pixels)))))
        x = (self.stage4(self.stage3(fine)) + self.places).flatten(2).transpose(1, 2)
        for layer in self.context:
            x = layer(x)
        # Where something is matters as much as what it is: the hand is low on the right.
        vector: Tensor = self.gather(torch.cat([F.gelu(self.narrow(x)).flatten(1), x.mean(dim=1)], dim=1))
        return vector


class OrderNetwork(nn.Module):
    """Both sides, and what turns a cosine into a score and a likelihood into a verdict."""

    def __init__(self, shape: OrderShape, minilm: MiniLm) -> None:
        super().__init__()
        self.shape = shape
        self.pictures, self.texts = FrameTower(shape), TextTower(shape.dense, minilm)
        self.times = nn.Parameter(torch.randn(1, shape.frames, shape.width) * 0.02)
        layer = nn.TransformerEncoderLayer(
            shape.width, 8, 4 * shape.width, dropout=0.1, activation="gelu", batch_first=True, norm_first=True
        )
        self.over_time = nn.TransformerEncoder(layer, shape.layers + 1, enable_nested_tensor=False)
        self.norm, self.out = nn.LayerNorm(shape.width), nn.Linear(shape.width, shape.vector)
        self.scale = nn.Parameter(torch.tensor(math.log(12.0)))
        self.sharpness = nn.Parameter(torch.tensor(math.log(0.3)))
        self.gain, self.offset = nn.Parameter(torch.tensor(2.0)), nn.Parameter(torch.tensor(2.0))

    def films(self, pixels: Tensor) -> Tensor:
        """Returns unit vectors ``[B, T, vector]`` of prepared films ``[B, T, 4, H, W]``."""
        count, frames = pixels.shape[:2]
        # A plain ``flatten`` would lose the order of channels in memory that convolutions are fast with.
        flat = pixels.flatten(0, 1).contiguous(memory_format=torch.channels_last)
        x = self.pictures(flat).view(count, frames, -1) + self.times
        return F.normalize(self.out(self.norm(self.over_time(x))).float(), dim=-1)

    def fits(self, films: Tensor, steps: Tensor) -> Tensor:
        """Returns how well each step fits each frame: ``[B, T, K]`` of ``films[B, T, D]`` and ``steps[K, D]``."""
        return films @ steps.T * self.scale.exp().clamp(max=LARGEST_SCALE)


def start_from(network: OrderNetwork, trained: TrainedDense) -> int:
    """Copies what the dense image-text network knows, and returns how many tensors that were."""
    known = trained.network.state_dict()
    own = network.state_dict()
    side = network.shape.image_size // COARSE
    places = known["pictures.places"]
    known["pictures.places"] = F.interpolate(places, (side, side), mode="bilinear", align_corners=False)
    # Only the towers: both networks have numbers of the same names that mean something else.
    towers = {name: tensor for name, tensor in known.items() if name.startswith(("pictures.", "texts."))}
    taken = {name: tensor for name, tensor in towers.items() if name in own and own[name].shape == tensor.shape}
    network.load_state_dict(taken, strict=False)
    return len(taken)
