"""Moves that need no player: those of chance, and forced moves of members who want them to play themselves."""

from bot.app.matches.table import Table
from bot.app.system import Chance
from db.api.store import Store
from rules.core.match import Match, Ply

MOST_TOLD = 8
"""The most automatic entries that one board tells of."""


class AutomaticMoves:
    """Decides which moves play themselves; it plays none."""

    def __init__(self, store: Store, chance: Chance) -> None:
        self._store = store
        self._chance = chance

    async def due(self, table: Table) -> Match | None:
        """The match after a move that needs no player: of chance, or a forced one. None if a player has to move."""
        if table.match.to_move == (None,):
            return self._after_chance(table.match)
        forced = await self._forced(table)
        return None if forced is None else table.match.play(forced.seat, forced.text)

    async def last(self, table: Table) -> int:
        """The number of last entries that played themselves."""
        count = 0
        while count < min(table.plies, MOST_TOLD):
            before, entry = table.back_to(table.plies - count - 1), table.stored.log[-count - 1]
            if await self._forced(before) != entry:
                break
            count += 1
        return count

    def _after_chance(self, match: Match) -> Match:
        moves = match.game.chances(match.state)
        move, _ = moves[self._chance.pick([weight for _, weight in moves])]
        return match.play(None, match.game.format(move))

    async def _forced(self, table: Table) -> Ply | None:
        """The ply that plays itself: the only legal one of a member who chose that. None if there is none.

        Never right after a takeback, which it would undo.
        """
        if len(table.waiting_for) != 1 or table.taken_back:
            return None
        (user,) = table.waiting_for
        chosen = table.chosen_by(user) or await self._store.member(user)
        if not chosen.forced:
            return None
        moves = table.match.legal()
        return Ply(table.match.to_move[0], moves[0]) if moves is not None and len(moves) == 1 else None
