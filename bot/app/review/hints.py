"""Hints: the best move for a member on turn in a casual game. The board shows everybody that a hint was taken."""

from dataclasses import dataclass

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.review.fair_play import FairPlay
from bot.app.searches import NoChoice, Purpose, Thinker
from db.stores.matches.matches import MatchStore
from db.values.matches import MovedOn
from db.values.places import DiscordId
from rules.core.game import Seat
from rules.players.levels import STRONGEST
from rules.players.player import Choice


@dataclass(frozen=True, slots=True)
class Hint:
    """A move for `seat`, which is on turn at `loaded`."""

    loaded: LoadedMatch
    seat: Seat
    choice: Choice


class Hints:
    """The service of hints. It searches for one hint at a time for each member."""

    def __init__(self, store: MatchStore, matches: Matches, thinker: Thinker, fair_play: FairPlay) -> None:
        self._store = store
        self._matches = matches
        self._thinker = thinker
        self._fair_play = fair_play
        self._asking: set[DiscordId] = set()

    async def take(self, match: int, user: DiscordId) -> Hint:
        """Find a move for `user` and note in the match that they took a hint. Raises Refused."""
        loaded, seat = await self._matches.playing(match, user)
        if loaded.stored.rated:
            raise Refused(f"{loaded.name} is rated; hints are for casual games.")
        if seat not in loaded.match.to_move:
            raise Refused(f"It is not your turn in {loaded.name}; ask for a hint when it is.")
        if user in self._asking:
            raise Refused("I am still looking for your last hint; one moment.")
        self._asking.add(user)
        try:
            if loaded.secret:
                await self._fair_play.check_hidden(loaded.match, seat)
            else:
                await self._fair_play.check(loaded.match)
            choice = await self._thinker.choose(loaded.match, seat, STRONGEST, purpose=Purpose.HINT)
            await self._note(loaded, seat)
        except NoChoice:
            raise Refused(f"I have found no hint for {loaded.name}; please try again.") from None
        except MovedOn:
            raise Refused(f"{loaded.name} has moved on; ask again on its newest board.") from None
        finally:
            self._asking.discard(user)
        return Hint(loaded, seat, choice)

    async def _note(self, loaded: LoadedMatch, seat: Seat) -> None:
        """Note that a hint was taken. Raises MovedOn if `seat` has moved meanwhile, or anybody where moves are open.

        Hidden moves of others leave the hint as good as it is.
        """
        now = loaded
        while True:
            try:
                await self._store.take_hint(loaded.id, now.plies, seat)
            except MovedOn:
                now = await self._matches.load(loaded.id)
                if not now.secret or _moves(now, seat) != _moves(loaded, seat):
                    raise
            else:
                return


def _moves(loaded: LoadedMatch, seat: Seat) -> int:
    """Return how many entries of the log are those of a seat."""
    return sum(entry.seat == seat for entry in loaded.stored.log)
