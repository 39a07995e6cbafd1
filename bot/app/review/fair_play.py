"""No help for a running rated game, by whatever way somebody asks for it.

Positions are compared, not games: in another channel, from another account, after other moves that lead to the same
position, or on a mirrored or turned board, the same position is found.
"""

import asyncio
from collections.abc import Hashable, Sequence

from bot.app.errors import Refused
from bot.app.matches.positions import position
from bot.app.matches.table import Table
from db.api.store import Store
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.symmetry import walks
from rules.players.catalogue import find_player

NEAR = 2
"""Plies. A position is also refused if a rated game stood there so many plies ago, or could stand there as soon."""

REFUSAL = "A rated game that is still being played stands at this position or close to it, so I give no help with it."

HIDDEN_REFUSAL = (
    "In a rated game that is being played somebody faces the same cards, so I give no help with them."
)


class FairPlay:
    """Compares positions with those of all rated games that are being played, in every server."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def check(self, match: Match) -> None:
        """Raise Refused if a running rated match stands at the position of this match, or close to it."""
        if len(match.log) in await self.near(match):
            raise Refused(REFUSAL)

    async def check_hidden(self, match: Match, seat: Seat) -> None:
        """Raise Refused if help for `seat`, where moves are hidden, would help somebody in a running rated match.

        What is compared are the views of players on turn, so a refusal tells nothing that is hidden there.
        """
        running = await self._store.running(game=match.setup.game, rated=True)
        others = [Table.of(stored).match for stored in running]
        helps = await asyncio.to_thread(_helps, match, seat, others)
        if helps:
            raise Refused(HIDDEN_REFUSAL)

    async def near(self, match: Match, *, rated: bool | None = True) -> frozenset[int]:
        """Return the numbers of plies after which this match stood at or close to a position of a running rated one.

        `rated` None compares it with casual ones as well.
        """
        running = await self._store.running(setup=match.setup, rated=rated)
        if not running:
            return frozenset()
        return await asyncio.to_thread(_near, match, [Table.of(stored).match for stored in running])


def _helps(match: Match, seat: Seat, others: Sequence[Match]) -> bool:
    """Return True if the best choice of `seat` would help somebody on turn in one of the other matches."""
    player = find_player(match.game)
    return any(
        player.would_help(match, seat, other, theirs)
        for other in others
        for theirs in other.to_move
        if theirs is not None
    )


def _near(match: Match, running: Sequence[Match]) -> frozenset[int]:
    """Return the numbers of plies after which `match` was at or near the newest positions of a running one."""
    recent = [_recent(other) for other in running]
    now = {keys[0] for keys in recent}
    lately = {key for keys in recent for key in keys}
    found: set[int] = set()
    for walk in walks(match):
        keys = [_key(stage) for stage in walk]
        for index, key in enumerate(keys):
            before = keys[max(0, index - NEAR) : index]
            if key in lately or not now.isdisjoint(before):
                found.add(index)
    return frozenset(found)


def _recent(match: Match) -> list[Hashable]:
    """Return the key of the position of a match, and of those before it."""
    shortest = max(0, len(match.log) - NEAR)
    return [
        _key(position(match.setup, match.log[:plies])) for plies in range(len(match.log), shortest - 1, -1)
    ]


def _key(match: Match) -> Hashable:
    return match.playing, match.game.position(match.state)
