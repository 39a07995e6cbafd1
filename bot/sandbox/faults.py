"""Faults on purpose: the next calls of a route go wrong as they do on a bad day at Discord."""

from dataclasses import dataclass
from enum import Enum


class Fault(Enum):
    """How a call goes wrong."""

    RATE_LIMITED = "429 with the headers of a real rate limit, before anything is done"
    BAD_GATEWAY = "502 without a JSON body, before anything is done"
    UNAVAILABLE = "503 without a JSON body, before anything is done"
    RESET = "the connection is cut before anything is done"
    LOST = "everything is done, then the connection is cut instead of an answer"


@dataclass(frozen=True, slots=True)
class Planned:
    """`retry_after` is in seconds and said by RATE_LIMITED."""

    method: str
    route: str
    fault: Fault
    retry_after: float


class Faults:
    """The faults that wait for their call, in the order in which they were planned."""

    def __init__(self) -> None:
        self._planned: list[Planned] = []

    def plan(
        self, method: str, route: str, fault: Fault, *, times: int = 1, retry_after: float = 0.1
    ) -> None:
        """Let the next `times` calls of a route fail. `route` is its template, such as
        "/channels/{channel_id}/messages"."""
        self._planned += [Planned(method, route, fault, retry_after)] * times

    def take(self, method: str, route: str) -> Planned | None:
        """The fault that this call is to meet, used up by asking."""
        for place, planned in enumerate(self._planned):
            if (planned.method, planned.route) == (method, route):
                return self._planned.pop(place)
        return None
