"""`python -m tests.stored.resumed`: the bot of today with a clock that goes on from when 50da8a01 was stopped.

So no stored challenge has expired and no stored clock has run out, however much later the tests run.
"""

import sys
from datetime import UTC, datetime

import bot.__main__ as wiring
from bot.startup.system import SystemClock
from tests.stored.version import STORED_AT

BEHIND = datetime.now(UTC) - STORED_AT


class ResumedClock(SystemClock):
    """The machine's clock, set back."""

    def now(self) -> datetime:
        return super().now() - BEHIND


if __name__ == "__main__":
    wiring.SystemClock = ResumedClock  # type: ignore[attr-defined]  # imported there, not exported
    sys.exit(wiring.main())
