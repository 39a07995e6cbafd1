"""`python -m tests.e2e.fixed_chance`: the bot with chance fixed, so that two games differ only in what is played.

Whoever challenges begins, and RIGGED tells which of the things that chance may do it does.
"""

import os
import sys
from collections.abc import Sequence

import bot.__main__ as wiring
from bot.startup.system import SystemChance
from db.values.places import DiscordId


class Rigged(SystemChance):
    """Draws nothing; its salts are real."""

    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        return tuple(users)

    def pick(self, weights: Sequence[int]) -> int:
        return int(os.environ["RIGGED"])


if __name__ == "__main__":
    wiring.SystemChance = Rigged  # type: ignore[attr-defined]  # imported there, not exported
    sys.exit(wiring.main())
