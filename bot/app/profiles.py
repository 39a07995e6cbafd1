"""How a member has fared: their scores, records and runs in one place, from their newest games; and against another."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from bot.app.errors import Refused
from bot.app.ports import ProfileStore
from db.values import TOGETHER, DiscordId, Duel, Outcome, Profile, Rating
from rules.core.game import Seat
from rules.games import BY_KEY, GAMES

Counts = tuple[int, int, int]
"""Games won, drawn and lost."""


@dataclass(frozen=True, slots=True)
class Career:
    """A member in one place (None: everywhere), in one game or (None) in all.

    `rating` is None where they have no rated game. What is counted by seat and in a row is counted of the newest
    `games` games; `scores` are those after each of them with the time of its end, the oldest first.
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
    streak: int
    longest: int
    games: int

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
        rating = next((it for it in found.ratings if it.board.game == (game or TOGETHER)), None)
        records = tuple(
            (it.board.game, (it.won, it.drawn, it.lost))
            for it in found.ratings
            if it.board.game != TOGETHER and game in (None, it.board.game)
        )
        runs = [
            (won, len(list(run))) for won, run in groupby(it.outcome is Outcome.WON for it in found.games)
        ]
        return Career(
            user=user,
            game=game,
            guild=guild,
            rating=rating,
            place=found.place,
            members=found.members,
            records=records,
            seats=_by_seat(found) if game is not None else (),
            scores=_scores(found, rating),
            streak=runs[0][1] if runs and runs[0][0] else 0,
            longest=max((length for won, length in runs if won), default=0),
            games=len(found.games),
        )

    async def versus(self, one: DiscordId, other: DiscordId) -> tuple[Duel, ...]:
        """The newest rated games between two members, the last one first. Raises Refused."""
        if one == other:
            raise Refused("Nobody plays against themselves; name another member.")
        return await self._store.duels(one, other)


def tally(duels: Iterable[Duel]) -> Counts:
    """How often the first one stood better, equal and worse than the other."""
    signs = Counter((own < its) - (own > its) for own, its in (duel.ranks for duel in duels))
    return signs[1], signs[0], signs[-1]


def _by_seat(found: Profile) -> tuple[tuple[Seat, Counts], ...]:
    counts = Counter((it.seat, it.outcome) for it in found.games)
    seats = sorted({seat for seat, _ in counts})
    return tuple(
        (
            seat,
            (counts[seat, Outcome.WON], counts[seat, Outcome.DRAWN], counts[seat, Outcome.LOST]),
        )
        for seat in seats
    )


def _scores(found: Profile, rating: Rating | None) -> tuple[tuple[datetime, int], ...]:
    """After a game somebody has the score that they go into the next one with."""
    if rating is None:
        return ()
    after = [rating.held.skill.score, *(it.before for it in found.games)]
    return tuple(zip([it.at for it in found.games], after, strict=False))[::-1]
