"""Ray clusters, for those who have one; Ray itself is optional."""

from __future__ import annotations

from pentathlon.core.cluster.joining import connect, import_ray

__all__ = ["connect", "import_ray"]
