"""The waiting times of members: every interaction of a local Discord with its acknowledgement, or without one."""

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.sandbox import Exchange, Sandbox
from bot.sandbox.world.events import Event, InteractionFailed, InteractionOpened
from bot.sandbox.world.records import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT

KINDS = {
    COMMAND: "commands",
    COMPONENT: "buttons and menus",
    AUTOCOMPLETE: "completions",
    MODAL_SUBMIT: "forms",
}
_CALLBACK = re.compile(r"/interactions/(?P<id>[0-9]+)/[^/]+/callback")


@dataclass(frozen=True, slots=True)
class Waited:
    """Seconds of the machine's clock: when something was pressed, and when what it asks for was there."""

    pressed: float
    there: float


class Timings:
    """The interactions so far."""

    def __init__(self) -> None:
        self.acknowledged: list[Waited] = []
        self.unanswered: list[tuple[float, str]] = []
        """The interactions that got no answer within three seconds: when they were opened, and what they were."""
        self.used: Counter[str] = Counter()
        """The number of interactions by kind."""
        self._open: dict[str, tuple[float, str]] = {}

    def listen(self, local: Sandbox) -> None:
        """Note the interactions of a local Discord, whose requests come by `observe`."""
        local.world.listen(self._hear)

    def observe(self, exchange: Exchange) -> None:
        """Note an acknowledgement."""
        found = _CALLBACK.fullmatch(exchange.path)
        if found is not None and exchange.status < 300 and (opened := self._open.pop(found["id"], None)):
            self.acknowledged.append(Waited(opened[0], time.monotonic()))

    def _hear(self, event: Event) -> None:
        if isinstance(event, InteractionOpened):
            made = event.interaction
            self._open[made.id] = (
                time.monotonic(),
                str(made.data.get("custom_id") or f"/{made.data.get('name')}"),
            )
            self.used[KINDS[made.type]] += 1
        elif isinstance(event, InteractionFailed) and (opened := self._open.pop(event.interaction, None)):
            self.unanswered.append(opened)


def percentiles(waited: Sequence[Waited], since: float = 0.0) -> tuple[float, float, float]:
    """Return the median, 95th and 99th percentile, in milliseconds, of what was pressed since then."""
    ordered = sorted(1000 * (one.there - one.pressed) for one in waited if one.pressed >= since)
    if not ordered:
        return 0.0, 0.0, 0.0
    at = [min(len(ordered) - 1, int(share * len(ordered))) for share in (0.5, 0.95, 0.99)]
    return ordered[at[0]], ordered[at[1]], ordered[at[2]]
