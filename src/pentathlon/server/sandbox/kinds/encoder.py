"""An encoder in a sandbox: pictures go in by the window, pooled features come out."""

from __future__ import annotations

import numpy as np

from pentathlon.core.entrants import Features, Floats, Images
from pentathlon.core.specs import EncoderSpec, Spec
from pentathlon.models.encoders.checked import check_images
from pentathlon.models.remote.arrays import unpack
from pentathlon.models.remote.checks import checked_array, in_shares
from pentathlon.models.remote.declared import ReadyEncoder, encoder_spec
from pentathlon.models.remote.questions import Encode, Encoded
from pentathlon.server.sandbox.kinds.session import Session
from pentathlon.server.sandbox.sandbox_messages import MAX_REPLY_BYTES, Load
from pentathlon.server.sandbox.window import WINDOW_BYTES


class SandboxedEncoder:
    """Asks the encoder in the sandbox; its patch features stay there, since no task takes them.

    Args:
        session: with the sandbox.
        load: what to build.
        offered: what the task wants.
        fingerprint: of the folder, under which features may be kept; the entrant has no say in it.
    """

    def __init__(self, session: Session, load: Load, offered: Spec | None, fingerprint: str | None) -> None:
        self.session = session
        ready = session.load(load, ReadyEncoder)
        self._spec = session.check(lambda: encoder_spec(ready), "refused")
        session.compare(offered, self._spec)
        if fingerprint is not None:
            self.fingerprint = fingerprint

    @property
    def spec(self) -> EncoderSpec:
        """What the encoder declared."""
        return self._spec

    def encode(self, images: Images) -> Features:
        """Returns finite float32 features of the declared length, one row for each picture."""
        check_images(images)
        rows = [self._encode(share) for share in in_shares(images, WINDOW_BYTES)]
        return Features(np.concatenate(rows) if rows else np.empty((0, self._spec.dim), np.float32))

    def _encode(self, images: Images) -> Floats:
        placed = self.session.window.place({"images": images})["images"]
        encoded = self.session.ask(lambda ticket: Encode(ticket, placed), Encoded, "encode")
        shape = (len(images), self._spec.dim)
        return self.session.check(lambda: checked_array(unpack(encoded.pooled, MAX_REPLY_BYTES), shape, "features"))
