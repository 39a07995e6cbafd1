"""The faults: how each is injected while a game runs, and what members and operators see of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.faults.scene import Scene


@dataclass(frozen=True)
class Seen:
    """A kind of log line or a counter that operators see after one injection, with its least and greatest number.

    A log line is named by the beginning of its event, a counter as `tests.faults.operators` does.
    """

    what: str
    least: int = 1
    most: int = 1


Injection = Callable[[Scene], Awaitable[None]]


@dataclass(frozen=True)
class PlayedFault:
    """A fault that is injected while a game runs.

    `inject` plays at least one move under it, asserts what members see, which `members` says in words, and heals it.
    `lines` and `counted` are asserted after it: nothing else from the level warning on may be in the log, and no other
    counter of failures may have grown.
    """

    name: str
    inject: Injection
    members: str
    lines: tuple[Seen, ...] = ()
    counted: tuple[Seen, ...] = ()
    sampled: bool = False
    """True if `make test` injects the fault, one for each kind of handling; `make soak` injects all faults."""
    once: bool = False
    """True if it takes half a minute or more: `python -m tests.faults` injects it once."""
