"""The turns of computer players: their moves are searched for, stored as any member's, and repeated after a restart."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256

import structlog

from bot.app.errors import Refused
from bot.app.matches.listed import all_played_by
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.searches import NoChoice, Thinker
from bot.app.system import Chance
from db.store import Store
from db.values.members import COMPUTER_PLAYERS, is_computer, level_of
from db.values.places import Ownership
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.players.levels import Budget
from rules.players.player import Choice

log = structlog.get_logger()


class ComputerTurns:
    """The service that plays moves for computer players. Several tasks and processes may use it at the same time."""

    def __init__(
        self, store: Store, matches: Matches, thinker: Thinker, chance: Chance, ownership: Ownership
    ) -> None:
        self._store = store
        self._matches = matches
        self._thinker = thinker
        self._ownership = ownership
        self._secret = chance.salt()
        self._searches: dict[int, tuple[int, asyncio.Task[Choice]]] = {}
        """By match: the number of moves before the one that is searched for, and the search."""

    async def play(self, match: int) -> bool:
        """Make every move that computer players owe in a match. True if any was made here.

        A member's turn may come in between, as in secret phases, where several seats act. Raises NoChoice.
        """
        made = False
        loaded = await self._matches.resume(match)
        while (seat := loaded.computer_on_turn) is not None:
            moved, before = await self._move(loaded, seat), loaded.plies
            made = made or moved
            loaded = await self._matches.load(match)
            if loaded.plies == before:
                break  # The time of a member is over, which decides the game.
        return made

    async def pending(self) -> AsyncIterator[int]:
        """Yield the running matches in which a computer player is on turn, or nobody is until chance has acted.

        Only those of the servers that this process looks after. They are read some at a time.
        """
        async for match in all_played_by(self._store, COMPUTER_PLAYERS):
            due = not match.waiting_for or any(map(is_computer, match.waiting_for))
            if due and self._ownership.serves(match.stored.place.guild):
                yield match.id

    async def _move(self, loaded: LoadedMatch, seat: Seat) -> bool:
        """Make one move. True unless the match had moved on. Raises NoChoice."""
        user = loaded.stored.users[seat]
        choice = await self._search(loaded, seat, Budget(level=level_of(user)))
        if choice is None:
            return False
        try:
            await self._matches.play(loaded.id, user, choice.move, loaded.shown)
        except Refused:
            log.info("computer_move.too_late", match=loaded.id)
            return False
        except RuleError as error:
            # The text of the error may quote a hidden move.
            log.error("computer_move.refused", match=loaded.id, error=type(error).__name__)
            raise NoChoice("The search gave a move that the rules refuse.") from None
        return True

    async def _search(self, loaded: LoadedMatch, seat: Seat, budget: Budget) -> Choice | None:
        """Return the choice of a computer player, or None if the match has moved on. Raises NoChoice."""
        search = asyncio.create_task(
            self._thinker.choose(loaded.match, seat, budget, self._seed(loaded, seat))
        )
        self._searches[loaded.id] = loaded.plies, search
        try:
            await asyncio.wait((search,))
        finally:
            self._searches.pop(loaded.id, None)
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)
        return None if search.cancelled() else search.result()

    def moved_on(self, loaded: LoadedMatch) -> None:
        """End a search for a move that cannot be played any more, since the match has moved on to this.

        Where moves are hidden, others may move meanwhile, and the choice stays as good as it was.
        """
        plies, search = self._searches.get(loaded.id, (0, None))
        due = loaded.computer_on_turn is not None and loaded.secret
        if search is not None and loaded.plies != plies and not due:
            search.cancel()

    def _seed(self, loaded: LoadedMatch, seat: Seat) -> int:
        """Return a seed that stays the same during a match, so that a computer player overlooks the same things.

        Nobody can know it, so hidden moves cannot be computed by others.
        """
        digest = sha256(f"{self._secret} {loaded.id} {seat}".encode()).digest()
        return int.from_bytes(digest[:4])
