"""What is said to a chat model: texts and pictures, in the shape of OpenAI's protocol; and objects in what it says."""

from __future__ import annotations

import base64
import io
import json
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

Message: TypeAlias = dict[str, Any]
Detail = Literal["low", "high", "auto"]

JPEG_QUALITY = 90


def system(text: str) -> Message:
    """What the model is told to be."""
    return {"role": "system", "content": text}


def user(*parts: str | dict[str, Any]) -> Message:
    """What somebody asks, of texts and pictures in turn."""
    content = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"role": "user", "content": content}


def assistant(text: str) -> Message:
    """What the model said before."""
    return {"role": "assistant", "content": text}


def picture_part(image: npt.NDArray[np.uint8], detail: Detail = "low") -> dict[str, Any]:
    """``image[H, W, 3]`` as a part of a message: a JPEG inside the address itself."""
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=JPEG_QUALITY)
    address = f"data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}"
    return {"type": "image_url", "image_url": {"url": address, "detail": detail}}


def last_object(text: str) -> dict[str, Any] | None:
    """Returns the last JSON object in a text; models like to think aloud before it and to fence it."""
    decoder = json.JSONDecoder()
    last = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            last = value if isinstance(value, dict) else last
        at = text.find("{", end)
    return last
