"""Masked-autoencoder pre-training, and adaptation of a trained encoder to a task's frames."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from pentathlon.core.errors import DataError
from pentathlon.learning.pretraining.augment import Views, crop_matrices, draw_crops, resample, statistics
from pentathlon.learning.pretraining.masked_autoencoder import DECODERS, MaskedAutoencoder, patchify
from pentathlon.learning.pretraining.settings import MaeSettings
from pentathlon.models.encoders.released import fill
from pentathlon.models.encoders.vit import SIZES, ViT, ViTConfig, resize_positions
from pentathlon.models.weights import read_checkpoint, resolve_weights


class Sample(NamedTuple):
    """What the network is given: normalised ``patches[B, N, P*P*3]`` and the ``noise[B, N]`` that hides some."""

    patches: Tensor
    noise: Tensor


class MaskedObjective:
    """Draws crops and masks, and returns the pixel loss."""

    def __init__(self, settings: MaeSettings, device: torch.device) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            encoder = ViT(replace(SIZES[settings.size], image_size=settings.image_size))
            self.module = MaskedAutoencoder(encoder, DECODERS[settings.size], mask_ratio=settings.mask_ratio)
        if settings.start:
            load_start(self.module, settings.start)
        self.module.to(device)
        self.encoder = self.module.encoder
        self.image_size = settings.image_size
        self._views = Views(smallest_area=settings.smallest_area)
        self._crop = crop_patches
        if settings.compile and device.type == "cuda":
            self._crop = torch.compile(crop_patches, dynamic=False)
            self.module.compile_regions()

    def loss(self, frames: Tensor, generator: torch.Generator) -> Tensor:
        """Returns the mean squared error over hidden patches of one random crop of each frame."""
        return self.module(*self.draw(frames, generator))  # type: ignore[no-any-return]

    @torch.no_grad()
    def draw(self, frames: Tensor, generator: torch.Generator) -> Sample:
        """Draws a crop and a mask for each frame."""
        draws = draw_crops(len(frames), generator)
        noise = torch.rand(len(frames), self.encoder.config.side**2, generator=generator, device=frames.device)
        # Autocast would make bfloat16 of the products, which holds every other level above 128.
        with torch.autocast(frames.device.type, enabled=False):
            mean, std = statistics(frames.device)
            return Sample(self._crop(frames, draws, mean, std, self.encoder.config, self._views), noise)

    def after_step(self, progress: float) -> None:
        """Nothing follows an update."""


def crop_patches(frames: Tensor, draws: Tensor, mean: Tensor, std: Tensor, config: ViTConfig, views: Views) -> Tensor:
    """Cuts the patches of :func:`random_views` without colours: one kernel after the products, once compiled."""
    levels = resample(frames, *crop_matrices(frames, config.image_size, views, draws))
    return patchify(((levels.float() / 255.0 - mean) / std).to(levels.dtype), config.patch_size)


def load_start(module: MaskedAutoencoder, reference: str) -> None:
    """Fills the encoder, and the decoder where the file has one, from weights to adapt.

    Raises:
        DataError: when the encoder is incomplete or of another size.
    """
    path = resolve_weights(reference)
    own = module.state_dict()
    loaded: dict[str, Tensor] = {}
    for name, tensor in read_checkpoint(path).tensors.items():
        if not name.startswith("optimizer."):
            bare = name.removeprefix("module.").removeprefix("model.").removeprefix("encoder.")
            loaded[bare if bare in own else f"encoder.{bare}"] = tensor
    missing = sorted(name for name in own if name.startswith("encoder.") and name not in loaded)
    if missing:
        raise DataError(f"{path.name} lacks {', '.join(missing[:6])}: expected a ViT encoder. Choose its weights.")
    loaded["encoder.pos_embed"] = resize_positions(loaded["encoder.pos_embed"], module.encoder.config.side)
    # Fixed sine-cosine values, made for this grid.
    loaded["decoder_pos_embed"] = own["decoder_pos_embed"]
    fill(module, {**own, **loaded}, path)
