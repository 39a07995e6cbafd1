"""`python -m tests.e2e.owned_clock`: the bot with a clock that a test sets, in the file that CLOCK names."""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import bot.__main__ as wiring
from bot.startup.system import SystemClock


class OwnedClock(SystemClock):
    """Stands still until another time is written to the file."""

    def now(self) -> datetime:
        return datetime.fromisoformat(Path(os.environ["CLOCK"]).read_text())

    def monotonic(self) -> timedelta:
        return self.now() - datetime.min.replace(tzinfo=UTC)


if __name__ == "__main__":
    wiring.SystemClock = OwnedClock  # type: ignore[attr-defined]  # imported there, not exported
    sys.exit(wiring.main())
