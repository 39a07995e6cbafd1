"""Profiles: a member's ratings, results and streaks in a server or globally; and two members compared."""

from dataclasses import dataclass
from datetime import datetime

from bot.app.errors import Refused
from db.stores.standings.profiles import ProfileStore
from db.values.places import DiscordId
from db.values.standings import TOGETHER, Counts, Duels, Rating, Runs
from rules.core.game import Seat
from rules.games import BY_KEY, GAMES


@dataclass(frozen=True, slots=True)
class MemberProfile:
    """The profile of a member in a server (None: globally), in one game or (None) in all.

    `rating` is None without a rated game. `scores` are those after the first game, the last one and some between, each
    with the time at which the game ended, oldest first.
    """

    user: DiscordId
    game: str | None
    guild: DiscordId | None
    rating: Rating | None
    rank: int
    members: int
    records: tuple[tuple[str, Counts], ...]
    """By key of the game, in the order of the catalogue."""
    seats: tuple[tuple[Seat, Counts], ...]
    scores: tuple[tuple[datetime, int], ...]
    runs: Runs
    computer: bool = False
    recomputing: bool = False
    """True if scores may still change because a result was reverted."""

    @property
    def favourite(self) -> str | None:
        """The key of the game that they have played most; the first one among equals."""
        played = [(sum(counts), -number, key) for number, (key, counts) in enumerate(self.records)]
        return max(played)[2] if played else None

    @property
    def tributes(self) -> tuple[tuple[str, int], ...]:
        """The names of their losses, such as `Skulls donated to the pile`, each with its count."""
        given = ((BY_KEY[key].sheet.tribute, counts[2]) for key, counts in self.records)
        return tuple((what, often) for what, often in given if what and often)


class Profiles:
    """The profiles of members. Methods raise Refused."""

    def __init__(self, store: ProfileStore) -> None:
        self._store = store

    async def profile(self, user: DiscordId, game: str | None, guild: DiscordId | None) -> MemberProfile:
        """The profile of a member in a game or in all, in a server or globally."""
        found = await self._store.get(user, game, guild, [each.key for each in GAMES])
        records = tuple(
            (it.leaderboard.game, (it.won, it.drawn, it.lost))
            for it in found.ratings
            if it.leaderboard.game != TOGETHER and game in (None, it.leaderboard.game)
        )
        return MemberProfile(
            user=user,
            game=game,
            guild=guild,
            rating=next((it for it in found.ratings if it.leaderboard.game == (game or TOGETHER)), None),
            rank=found.rank,
            members=found.members,
            records=records,
            seats=found.seats,
            scores=found.scores,
            runs=found.runs,
            computer=found.computer,
            recomputing=found.recomputing,
        )

    async def versus(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """The results of two members against each other, in a server and wherever games count globally.

        Raises Refused.
        """
        if one == other:
            raise Refused("Nobody plays against themselves; name another member.")
        return await self._store.duels(one, other, guild)


def tally(duels: Duels) -> Counts:
    """The numbers of games in which the first member finished better than, equal to and worse than the other."""
    better, equal, worse = (sum(counts[it] for _, counts in duels.games) for it in range(3))
    return better, equal, worse
