"""Faults on purpose: the next calls of a route fail as they can fail at Discord."""

from dataclasses import dataclass
from enum import Enum


class Fault(Enum):
    """The kinds of failure."""

    RATE_LIMITED = "429 with the headers of a real rate limit, before anything is done"
    BANNED = "429 without the header Via, as from a proxy before Discord, before anything is done"
    SLOW = "everything is done, some seconds late"
    LATE = "everything is done, and the answer comes some seconds late"
    FORBIDDEN = "403 with code 50001, before anything is done"
    BAD_GATEWAY = "502 without a JSON body, before anything is done"
    UNAVAILABLE = "503 without a JSON body, before anything is done"
    RESET = "the connection is cut before anything is done"
    LOST = "everything is done, then the connection is cut instead of an answer"


@dataclass(frozen=True, slots=True)
class Planned:
    """A fault that waits for its call. `seconds` are those of RATE_LIMITED, SLOW and LATE."""

    method: str
    route: str
    fault: Fault
    seconds: float


class Faults:
    """The planned faults, in the order in which they were planned."""

    def __init__(self) -> None:
        self._planned: list[Planned] = []

    def plan(self, method: str, route: str, fault: Fault, *, times: int = 1, seconds: float = 0.1) -> None:
        """Make the next `times` calls of a route fail. `route` is a template such as
        "/channels/{channel_id}/messages"."""
        self._planned += [Planned(method, route, fault, seconds)] * times

    def clear(self) -> None:
        """Let no further call fail."""
        self._planned.clear()

    def __len__(self) -> int:
        """Return the number of calls that are still to fail."""
        return len(self._planned)

    def take(self, method: str, route: str) -> Planned | None:
        """Remove and return the fault planned for this call, or None."""
        for place, planned in enumerate(self._planned):
            if (planned.method, planned.route) == (method, route):
                return self._planned.pop(place)
        return None
