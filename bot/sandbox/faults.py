"""Planned faults, which make the next calls of a route fail as they can fail at Discord."""

from dataclasses import dataclass
from enum import Enum


class Fault(Enum):
    """The kinds of failure."""

    RATE_LIMITED = "429 with the headers of a real rate limit, and nothing is carried out"
    RATE_LIMITED_SHARED = "429 of a limit that all bots share (scope shared)"
    RATE_LIMITED_GLOBALLY = "429 of the global limit"
    RATE_LIMITED_OLD = "429 for edits of messages that are older than one hour, with code 30046"
    RATE_LIMITED_UNTIMED = "429 with the header Via and without retry_after, and nothing is carried out"
    BANNED = "429 without the header Via, as from a proxy before Discord, and nothing is carried out"
    BANNED_BY_PAGE = "429 without the header Via and with a page of HTML, as Cloudflare bans an address"
    SLOW = "the request is carried out after some seconds"
    LATE = "the request is carried out at once, and the response is sent after some seconds"
    UNAUTHORIZED = "401, and nothing is carried out"
    FORBIDDEN = "403 with code 50001, and nothing is carried out"
    NOT_FOUND = "404 with the code of an unknown message or channel, and nothing is carried out"
    CLOSED = "403 with code 50007: the member accepts no direct messages from the bot"
    NO_SHARED_SERVER = "403 with code 50278: the member shares no server with the bot"
    OPENING_TOO_FAST = "403 with code 40003: the bot opens direct messages too fast"
    QUARANTINED = "403 with code 20026: the bot may write only to members to whom it has written before"
    MODERATED = "400 with code 200000: AutoMod blocks an answer of an application that a member installed"
    BAD_GATEWAY = "502 without a JSON body, and nothing is carried out"
    UNAVAILABLE = "503 without a JSON body, and nothing is carried out"
    RESET = "the connection is cut, and nothing is carried out"
    DONE_AND_BAD_GATEWAY = "the request is carried out, then 502 is returned"
    LOST = "the request is carried out, then the connection is cut instead of a response"


@dataclass(frozen=True, slots=True)
class Planned:
    """A fault of a future call. `seconds` is the time of the rate limits, SLOW and LATE."""

    method: str
    route: str
    fault: Fault
    seconds: float


class Faults:
    """The planned faults, in the order in which they were planned."""

    def __init__(self) -> None:
        self._planned: list[Planned] = []
        self.delay = 0.0
        """Seconds by which every call is delayed."""

    def plan(self, method: str, route: str, fault: Fault, *, times: int = 1, seconds: float = 0.1) -> None:
        """Make the next `times` calls of a route fail.

        `route` is a template such as "/channels/{channel_id}/messages".
        """
        self._planned += [Planned(method, route, fault, seconds)] * times

    def clear(self) -> None:
        """Remove all planned faults and delays."""
        self._planned.clear()
        self.delay = 0.0

    def __len__(self) -> int:
        """Return the number of planned faults."""
        return len(self._planned)

    def take(self, method: str, route: str) -> Planned | None:
        """Remove and return the fault planned for this call, or None."""
        for place, planned in enumerate(self._planned):
            if (planned.method, planned.route) == (method, route):
                return self._planned.pop(place)
        return None
