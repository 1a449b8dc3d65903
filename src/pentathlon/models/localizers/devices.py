"""What a localizer looks with, as records show it."""

from __future__ import annotations

import torch


def device_name(device: torch.device | None, dtype: torch.dtype = torch.float32) -> str:
    """Names a GPU by its model, and a precision that is not float32; empty where the device is not known."""
    if device is None:
        return ""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
    return name if dtype == torch.float32 else f"{name}, {str(dtype).removeprefix('torch.')}"
