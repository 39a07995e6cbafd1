"""The search for moments while the bot runs: one game after the other, with a rest after each."""

import structlog

from bot.app.moments.moments import Moments

log = structlog.get_logger()

LOOK = 15.0
"""Seconds between two looks for a game to search, where there was none."""


class MomentTask:
    """The background task of moments: it searches finished games, one after the other.

    It takes `percent` of the time of one processor core at most.
    """

    def __init__(self, moments: Moments, percent: int) -> None:
        self._moments = moments
        self._percent = percent

    async def round(self) -> float:
        """Search a game, if there is one. Return the seconds to rest.

        A search that was not finished when the process ended is begun again by the next.
        """
        searched = await self._moments.search_next()
        if searched is None:
            return LOOK
        log.info("searched for moments", match=searched.match, moments=searched.moments)
        return rest(searched.seconds, self._percent)


def rest(seconds: float, percent: int) -> float:
    """Return the time for which nothing is searched after so many seconds of CPU time, to keep to the percentage."""
    return seconds * (100 - percent) / percent
