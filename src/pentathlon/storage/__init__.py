"""Files on disk: written whole, locked, cached, as video, as datasets; nothing here knows what is measured.

Names are imported when they are first used, so that a machine which only makes data needs no video library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pentathlon.storage.cache import ArrayCache, CacheStats
    from pentathlon.storage.video import read_mp4, write_mp4

__all__ = ["ArrayCache", "CacheStats", "read_mp4", "write_mp4"]

_MODULE_OF = {"ArrayCache": "cache", "CacheStats": "cache", "read_mp4": "video", "write_mp4": "video"}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
