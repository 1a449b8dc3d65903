"""What a localizer looks with, as records show it."""

from __future__ import annotations

import torch


def device_name(device: torch.device | None) -> str:
    """Names a GPU by its model; empty where the device is not known."""
    if device is None:
        return ""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
