"""Eyes on a GPU: the ray caster's pictures, thousands of cameras over many scenes at a time, as torch tensors."""

from __future__ import annotations

from pentathlon.worlds.rendering.gpu.batch import BatchEyes, Pictures
from pentathlon.worlds.rendering.gpu.eyes import GpuEyes
from pentathlon.worlds.rendering.gpu.scenes import SceneTable

__all__ = ["BatchEyes", "GpuEyes", "Pictures", "SceneTable"]
