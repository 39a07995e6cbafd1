"""Sessions of the page: signed texts that say who uses it and where, for a short time."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta

from db.values.places import DiscordId, Place

LIFETIME = timedelta(hours=1)
"""After it, the page asks Discord again who uses it."""


@dataclass(frozen=True, slots=True)
class Session:
    """A member, their name, and the place in which the page is open for them."""

    user: DiscordId
    name: str
    place: Place


class Sessions:
    """Signs sessions by a secret, so that every process with the same secret reads them."""

    def __init__(self, secret: str) -> None:
        # Not the secret itself, which is Discord's.
        self._key = hashlib.sha256(b"pencilbox activity session " + secret.encode()).digest()

    def sign(self, session: Session, now: datetime) -> str:
        """Return a session as text, which is valid for LIFETIME."""
        until = int((now + LIFETIME).timestamp())
        fields = [session.user, session.name, session.place.guild, session.place.channel, until]
        body = urlsafe_b64encode(json.dumps(fields).encode())
        return f"{body.decode()}.{self._signature(body)}"

    def read(self, text: str, now: datetime) -> Session | None:
        """Return the session; None if it is not signed by this secret, or is no longer valid."""
        body, _, signature = text.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(body.encode()).encode()):
            return None
        user, name, guild, channel, until = json.loads(urlsafe_b64decode(body))
        return Session(user, name, Place(guild, channel)) if now.timestamp() < until else None

    def _signature(self, body: bytes) -> str:
        return hmac.new(self._key, body, hashlib.sha256).hexdigest()
