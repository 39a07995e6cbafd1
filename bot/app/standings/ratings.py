"""Ratings of members: what a match changed, profiles, and the comparison of two members."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import counts
from bot.app.system import Clock
from db.stores.standings.profiles import ProfileStore
from db.stores.standings.ratings import RatingStore
from db.values.places import DiscordId
from db.values.standings import TOGETHER, Change, Counts, Duels, Rating, Runs
from rules.core.game import Seat
from rules.games import BY_KEY, GAMES

PAUSE_S, POLL_S = 0.02, 1.0
"""Seconds between two chunks of a job that recomputes ratings, and between two looks for such a job."""


class Unrated(Enum):
    """The reasons why a result changes no ratings."""

    CASUAL = auto()
    SHORT = auto()
    FIRST = auto()
    """The first game of two, which are rated when the second ends."""
    ALONE = auto()
    """The second game of two, whose first has no result any more."""
    SHORT_TWO = auto()
    """The second game of two that were both too short."""


class Ratings:
    """The ratings of members. They change with the result, in one transaction (see `bot.app.matches.move_log`)."""

    def __init__(self, store: RatingStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def recompute(self) -> float:
        """Recompute some ratings, if a result was reverted. Return the seconds after which to call this again."""
        return PAUSE_S if await self._store.recompute(self._clock.now()) else POLL_S

    async def changes(self, loaded: LoadedMatch) -> tuple[Change, ...]:
        """Return the rating changes of a match by seat, in its game and server; empty if there are none."""
        return (await self._store.changes(loaded.id) or ()) if loaded.match.revealed else ()


def unrated(loaded: LoadedMatch) -> Unrated | None:
    """Return why a result has changed no ratings; None if it changed some, or if there is no result.

    Two games may count by the first: call this for the second only if it has changed none.
    """
    if not loaded.match.revealed or not loaded.match.winners or loaded.voided:
        return None
    if not loaded.stored.rated:
        return Unrated.CASUAL
    if loaded.stored.first is not None:
        return Unrated.ALONE if loaded.stored.first.void is not None else Unrated.SHORT_TWO
    if loaded.stored.games > 1:
        return Unrated.FIRST
    return None if counts(loaded.match) else Unrated.SHORT


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
        """Return the profile of a member in a game or in all, in a server or globally."""
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

    async def casual(self, user: DiscordId, game: str | None) -> dict[bool, Counts]:
        """Return the casual games of a member in a game or in all; the key is True for those with a computer player."""
        return await self._store.casual(user, game)

    async def versus(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """Return the results of two members against each other, in a server and wherever games count globally.

        Raises Refused.
        """
        if one == other:
            raise Refused("Nobody plays against themselves; name another member.")
        return await self._store.duels(one, other, guild)


def tally(duels: Duels) -> Counts:
    """Return the numbers of games in which the first member finished better than, equal to and worse than the other."""
    better, equal, worse = (sum(counts[it] for _, counts in duels.games) for it in range(3))
    return better, equal, worse
