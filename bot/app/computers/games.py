"""Games against computer players, which start at once."""

from dataclasses import replace

from bot.app.challenges.challenges import Challenges
from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.app.matches.free_seats import suggested_level, suited_level
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import FORGOTTEN, Matches
from db.rating_math import calibrated
from db.store import Store
from db.values.challenges import Order, Terms
from db.values.matches import MatchOptions
from db.values.members import computer_player, is_computer, level_of
from db.values.places import DiscordId, Place
from rules.core.errors import BadSetup
from rules.games import find
from rules.players.choose import find_player

MOST_ARCHIVED = 50
"""The most archived games of one member. When they begin another, the longest forgotten ones end without a result."""


class ComputerGames:
    """The service that starts games against computer players. Methods raise Refused or BadSetup without any change."""

    def __init__(self, store: Store, matches: Matches, challenges: Challenges) -> None:
        self._store = store
        self._matches = matches
        self._challenges = challenges

    async def play(
        self,
        place: Place,
        user: DiscordId,
        game: str,
        level: int | None = None,
        size: str = "",
        order: Order = Order.LOT,
        *,
        rated: bool = False,
    ) -> LoadedMatch:
        """Begin a game of `user` against one computer player. Without a level it is `suggested_level`.

        In a server only `user` sees the board. Without a size it is the size that `user` played last against a computer
        player, at first the quick one.
        A rated game has the standard size, on which the levels are calibrated.
        """
        private = place.guild is not None
        last = await self._store.history.last_computer(user, game)
        usual = "standard" if rated else next(iter(find(game).sizes))
        terms = terms_of(game, size or usual, 2, 2, order, MatchOptions(rated=rated, private=private))
        if last is not None and not size and not rated:
            terms = replace(terms, options=last[1])
        computers = await self.seated(user, game, level, 1)
        if rated:
            _check_rated(terms, computers[0])
        begun = await self._challenges.play(place, user, terms, computers)
        _, archived = await self._matches.by_hand(user)
        for match in archived[: max(0, len(archived) - MOST_ARCHIVED)]:
            await self._matches.abandon(match.id, FORGOTTEN)
        return begun

    async def seated(
        self, user: DiscordId, game: str, level: int | None, count: int
    ) -> tuple[DiscordId, ...]:
        """Return `count` computer players of a level, and store them as members.

        The default is the `suggested_level` of `user`. Raises BadSetup for a game that no computer plays.
        """
        if not count:
            return ()
        find_player(find(game))
        chosen = await self.suggested_level(user, game) if level is None else level
        players = tuple(computer_player(chosen, copy) for copy in range(count))
        for player in players:
            await self._store.members.change(player, computer=True)
        return players

    async def suggested_level(self, user: DiscordId, game: str) -> int:
        """Return the level against which `user` should win about half of their games (bot.app.matches.free_seats)."""
        return await suggested_level(self._store, user, game)

    async def suited_score(self, loaded: LoadedMatch) -> int | None:
        """Return the score of the member in a game against one computer player if its level suits that score."""
        users = loaded.stored.users
        members = [user for user in users if not is_computer(user)]
        if len(users) != 2 or len(members) != 1:
            return None
        own = await self._store.ratings.skill(members[0], loaded.match.game.key)
        if own is None or suited_level(own, loaded.match.game.key) not in map(level_of, users):
            return None
        return own.score


def played_by_computers(game: str) -> bool:
    try:
        find_player(find(game))
    except BadSetup:
        return False
    return True


def _check_rated(terms: Terms, computer: DiscordId) -> None:
    """Raise Refused unless the strength of a computer player on these terms is known."""
    found = find(terms.game)
    if calibrated(computer, terms.game) is None:
        raise Refused(
            f"The computer players are not rated in {found.sheet.title} yet; play without the option `rated`."
        )
    if dict(terms.options) != dict(found.sizes["standard"]):
        raise Refused(
            "A rated game against the computer has the standard size; leave `size` out, or `rated`."
        )
