"""Fair play: the bot gives no help for a running rated game.

Positions are compared, not games: in another channel, from another account, after other moves that lead to the same
position, or on a mirrored or turned board, the same position is found. Running games are found by the keys of their
positions, which are stored with every move, so none of them is read or replayed.
"""

import asyncio
from collections.abc import Sequence

import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import counting, position, position_keys
from db.stores.matches.positions import PositionStore
from db.values.matches import NEAR, PositionKeys, StoredMatch
from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.players.choose import find_player

REFUSAL = "A rated game that is being played is at this position or close to it, so I give no help with it."

HIDDEN_REFUSAL = (
    "In a rated game that is being played, somebody has the same cards, so I give no help with them."
)
BATCH = 20
"""The running matches of earlier versions that are replayed at a time to store their keys."""

log = structlog.get_logger()


class FairPlay:
    """The comparison of positions with those of all running rated games, in every server."""

    def __init__(self, store: PositionStore) -> None:
        self._store = store
        self._completing = asyncio.Lock()

    async def check(self, match: Match) -> None:
        """Raise Refused if a running rated match stands at the position of this match, or close to it."""
        if await self.near(match, since=len(match.log)):
            raise Refused(REFUSAL)

    async def check_hidden(self, match: Match, seat: Seat) -> None:
        """Raise Refused if help for `seat`, where moves are hidden, would help somebody in a running rated match."""
        if await self.faces(match, seat):
            raise Refused(HIDDEN_REFUSAL)

    async def faces(self, match: Match, seat: Seat) -> bool:
        """Return True if somebody in a running rated match has what `seat` has, where moves are hidden.

        What is compared are the views of players on turn, so the answer tells nothing that is hidden there.
        """
        game = match.setup.game
        faced = find_player(match.game).faced(match, seat)
        while (found := await self._store.facing(game, faced)) is None:
            await self._complete(game)
        return found

    async def near(self, match: Match, *, since: int = 0, rated: bool = True) -> frozenset[int]:
        """Return the numbers of plies after which this match stood at or close to a position of a running rated one.

        Close is a position that the running match had at most NEAR plies ago, or can reach in so many. Only the plies
        from `since` on are compared. Without `rated` casual matches count as well.
        """
        first, game = max(0, since - NEAR), match.setup.game
        keys = await asyncio.to_thread(_keys, match, first)
        while (found := await self._store.standing(game, keys, rated=rated)) is None:
            await self._complete(game)
        return frozenset(
            first + index
            for index, key in enumerate(keys)
            if first + index >= since
            and (key in found.lately or not found.now.isdisjoint(keys[max(0, index - NEAR) : index]))
        )

    async def _complete(self, game: str) -> None:
        """Store the keys of the running matches of a game that have none, in batches.

        These are matches of earlier versions that nobody has moved in since. A match that cannot be replayed is noted,
        too, since nobody can play on in it.
        """
        async with self._completing:
            while unkeyed := await self._store.unkeyed(game, BATCH):
                positions = await asyncio.to_thread(lambda batch: [_stored(it) for it in batch], unkeyed)
                plies = [(stored.id, len(stored.log)) for stored in unkeyed]
                await self._store.note([(*match, keys) for match, keys in zip(plies, positions, strict=True)])


def _keys(match: Match, first: int) -> Sequence[int]:
    """Return the keys of the positions of a match after `first` plies and more."""
    plies = range(first, len(match.log) + 1)
    return [position(match.setup, match.log[:number]).position_key for number in plies]


def _stored(stored: StoredMatch) -> PositionKeys | None:
    """Return what is to be stored of the position of a match; None if it cannot be replayed."""
    try:
        plies = [stored.log[index] for index in counting(stored.log)]
        return position_keys(Match.replay(find(stored.setup.game), stored.setup, plies), rated=stored.rated)
    except Exception:  # whatever is wrong with one match must not stop the checks of others
        log.warning("match.replay_failed", match=stored.id, exc_info=True)
        return None
