"""How a member has fared: their scores, records and runs in one place, in all their games; and against another."""

from dataclasses import dataclass
from datetime import datetime

from bot.app.errors import Refused
from db.api.places import DiscordId
from db.api.profiles import Counts, Duels, ProfileStore, Runs
from db.api.ratings import TOGETHER, Rating
from rules.core.game import Seat
from rules.games import BY_KEY, GAMES


@dataclass(frozen=True, slots=True)
class Career:
    """A member in one place (None: everywhere), in one game or (None) in all.

    `rating` is None where they have no rated game. `scores` are those after the first game, the last one and some
    between, with the time of its end, the oldest first.
    """

    user: DiscordId
    game: str | None
    guild: DiscordId | None
    rating: Rating | None
    place: int
    members: int
    records: tuple[tuple[str, Counts], ...]
    """By key of the game, in the order of the catalogue."""
    seats: tuple[tuple[Seat, Counts], ...]
    scores: tuple[tuple[datetime, int], ...]
    runs: Runs
    computer: bool = False

    @property
    def favourite(self) -> str | None:
        """The key of the game that they have played most; the first of equals."""
        played = [(sum(counts), -number, key) for number, (key, counts) in enumerate(self.records)]
        return max(played)[2] if played else None

    @property
    def tributes(self) -> tuple[tuple[str, int], ...]:
        """What they gave by losing, and how often: `Skulls donated to the pile` for example."""
        given = ((BY_KEY[key].sheet.tribute, counts[2]) for key, counts in self.records)
        return tuple((what, often) for what, often in given if what and often)


class Profiles:
    """How members have fared. Methods raise Refused."""

    def __init__(self, store: ProfileStore) -> None:
        self._store = store

    async def career(self, user: DiscordId, game: str | None, guild: DiscordId | None) -> Career:
        """How a member has fared in a game or in all, in a server or everywhere."""
        found = await self._store.profile(user, game, guild, [each.key for each in GAMES])
        records = tuple(
            (it.leaderboard.game, (it.won, it.drawn, it.lost))
            for it in found.ratings
            if it.leaderboard.game != TOGETHER and game in (None, it.leaderboard.game)
        )
        return Career(
            user=user,
            game=game,
            guild=guild,
            rating=next((it for it in found.ratings if it.leaderboard.game == (game or TOGETHER)), None),
            place=found.rank,
            members=found.members,
            records=records,
            seats=found.seats,
            scores=found.scores,
            runs=found.runs,
            computer=found.computer,
        )

    async def versus(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """How two members have fared against each other, in a server and wherever games count everywhere.

        Raises Refused.
        """
        if one == other:
            raise Refused("Nobody plays against themselves; name another member.")
        return await self._store.duels(one, other, guild)


def tally(duels: Duels) -> Counts:
    """How often the first one stood better, equal and worse than the other, in all games."""
    better, equal, worse = (sum(counts[it] for _, counts in duels.games) for it in range(3))
    return better, equal, worse
