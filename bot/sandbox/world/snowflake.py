"""Discord's ids: 64-bit numbers, written as text, in the order of their creation."""

from bot.sandbox.world.clock import Clock

DISCORD_EPOCH = 1_420_070_400.0
"""The time from which ids count (1 January 2015), in seconds since 1970."""


def snowflake(seconds: float, serial: int = 0) -> str:
    """Return the id with number `serial` in the millisecond of `seconds` since 1970."""
    return str((int((seconds - DISCORD_EPOCH) * 1000) << 22) | serial)


def made_at(id_: str) -> float:
    """Return the time at which an id was made, in seconds since 1970."""
    return DISCORD_EPOCH + (int(id_) >> 22) / 1000


class Snowflakes:
    """Makes ids that always increase, even if the clock stands still or a world is opened again."""

    def __init__(self, clock: Clock, last: int = 0) -> None:
        self._clock = clock
        self._last = last

    def __call__(self) -> str:
        self._last = max(self._last + 1, int(snowflake(self._clock.time())))
        return str(self._last)
