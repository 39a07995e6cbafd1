"""The rows that the store would hold after the matches of a population, in tables that leaderboards and profiles read.

All rows agree with each other, as if every match had been rated when it ended, but some things are simpler than in
life: a Kalman filter with the uncertainty that openskill arrives at stands in for openskill, which would take hours;
each rated match counts in full; and on boards that are not kept any more, everybody held what a newcomer holds. Plies
are left out: no rating, leaderboard or profile reads one, only the page of a history those of its few games.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from operator import attrgetter
from typing import Any

from bot.app.achievements import OF_GAME
from db.models import (
    AwardRow,
    Base,
    MatchRow,
    MemberRow,
    PlyRow,
    PostRow,
    RatedRow,
    RatedSeatRow,
    RatingRow,
    SeatRow,
    ServerRow,
    TallyRow,
)
from db.rating_math import expired, leaderboards_of, outcomes_of, week_of
from db.values.matches import Outcome
from db.values.members import Notice
from db.values.posts import PostKind
from db.values.standings import ALWAYS, EVERYWHERE, NEWCOMER, HeldSkill, Leaderboard, Skill
from tests.bench.population import NOW, Played, Population

LEARNING = 0.085
"""After n games openskill's uncertainty is about 1 / sqrt(1 + n * LEARNING) of what it was."""
NEW = HeldSkill()
NOISE = NEWCOMER.sigma / math.sqrt(LEARNING)
PLIES = 0
MANY = 20_000
"""Matches, or ratings, whose rows are handed over together."""
RARE = 7
"""Of so many matches one proves an achievement."""

Row = tuple[Any, ...]
Batch = tuple[type[Base], list[Row]]
"""A table, and rows to add to it, each with the columns that `COLUMNS` names; the others are given nothing."""

COLUMNS: Mapping[type[Base], Sequence[str]] = {
    MatchRow: (
        *("id", "game", "options", "players", "version", "guild", "channel", "plies", "started_at"),
        *("finished_at", "rated"),
    ),
    SeatRow: ("match_id", "seat", "user_id", "outcome", "finished_at"),
    PlyRow: ("match_id", "ply", "seat", "text", "played_at"),
    PostRow: (
        *("kind", "subject", "key", "guild", "channel", "version", "due_at", "shown", "message", "progress"),
        *("pinned", "companions"),
    ),
    RatedRow: ("id", "match_id", "game", "weight", "everywhere"),
    RatedSeatRow: (
        *("match_id", "seat", "user_id", "at", "rank", "before"),
        *("game", "guild", "everywhere", "outcome"),
    ),
    RatingRow: (
        *("period", "game", "guild", "user_id", "mu", "sigma", "score", "won", "drawn", "lost"),
        *("week", "was", "listed"),
    ),
    TallyRow: ("period", "game", "guild", "score", "members", "week", "gained"),
    AwardRow: ("match_id", "user_id", "key", "earned_at"),
    MemberRow: ("user_id", "notice", "forced", "listed"),
    ServerRow: ("guild_id", "channels", "withheld", "threads", "podium", "everywhere"),
}


@dataclass(slots=True)
class Standing:
    """A member on a board."""

    held: HeldSkill = NEW
    won: int = 0
    drawn: int = 0
    games: int = 0

    def play(self, performance: float, outcome: Outcome, week: int) -> None:
        """Count a game in, in this week (0 on a board that ends)."""
        held, before = self.held, self.held.skill
        self.games += 1
        self.won += outcome is Outcome.WON
        self.drawn += outcome is Outcome.DRAWN
        share, sigma = _learning(self.games)
        skill = Skill(before.mu + share * (performance - before.mu), sigma)
        if week > held.week:
            self.held = HeldSkill(skill, week, before.score if held.week else None)
        else:
            self.held = HeldSkill(skill, held.week, held.was)


@cache
def _learning(games: int) -> tuple[float, float]:
    """The weight of the last of so many games, and how uncertain the skill is after it."""
    known = 1 + LEARNING * games
    return LEARNING / known, NEWCOMER.sigma / math.sqrt(known)


Boards = defaultdict[Leaderboard, defaultdict[int, Standing]]


@cache
def _kept(period: str) -> bool:
    return not expired(period, NOW)


class Ladder:
    """The boards that are kept, as they stand after some matches."""

    def __init__(self, unlisted: Collection[int], chance: random.Random) -> None:
        self._unlisted = unlisted
        self._chance = chance
        self._boards: Boards = defaultdict(lambda: defaultdict(Standing))

    def climb(self, match: Played) -> list[tuple[HeldSkill, ...]]:
        """Let a match count; what its players held before on each of its boards, by seat."""
        boards = leaderboards_of(match.game.key, match.guild, match.at, everywhere=match.everywhere)
        kept = [self._boards[it] if _kept(it.period) else None for it in boards]
        week = week_of(match.at)
        weeks = [week if it.period == ALWAYS else 0 for it in boards]
        befores = []
        outcomes = outcomes_of(match.places)
        for user, strength, outcome in zip(match.users, match.strengths, outcomes, strict=True):
            performance = NEWCOMER.mu + NEWCOMER.sigma * strength + self._chance.gauss(0.0, NOISE)
            standings = [None if board is None else board[user] for board in kept]
            befores.append(tuple(NEW if it is None else it.held for it in standings))
            for standing, begun in zip(standings, weeks, strict=True):
                if standing is not None:
                    standing.play(performance, outcome, begun)
        return befores

    def rows(self) -> Iterator[Batch]:
        """The ratings and tallies of all boards."""
        ratings: list[Row] = []
        tallies: list[Row] = []
        for board in sorted(self._boards, key=attrgetter("guild", "period", "game")):
            standings = self._boards.pop(board)
            key = (board.period, board.game, board.guild)
            unlisted = self._unlisted if board.guild == EVERYWHERE else ()
            ratings += [
                (*key, user, *_rating(standings[user]), user not in unlisted) for user in sorted(standings)
            ]
            counted = [it.held for user, it in standings.items() if user not in unlisted]
            tallies += [(*key, *tally) for tally in _tallies(counted)]
            if len(ratings) > MANY:
                yield from ((RatingRow, ratings), (TallyRow, tallies))
                ratings, tallies = [], []
        yield from ((RatingRow, ratings), (TallyRow, tallies))


def records(population: Population, chance: random.Random) -> Iterator[Batch]:
    """All rows, those first that others refer to."""
    yield MemberRow, [(user, Notice.PING, False, False) for user in sorted(population.unlisted)]
    yield ServerRow, [(guild, (), (), False, False, False) for guild in sorted(population.apart)]
    ladder = Ladder(population.unlisted, chance)
    rows: defaultdict[type[Base], list[Row]] = defaultdict(list)
    for match in population.matches():
        outcomes = outcomes_of(match.places)
        rows[MatchRow].append(_match(match))
        rows[PostRow].append(_board(match))
        rows[SeatRow] += [
            (match.id, seat, user, outcome, match.at)
            for seat, (user, outcome) in enumerate(zip(match.users, outcomes, strict=True))
        ]
        rows[AwardRow] += _awards(match, outcomes)
        if match.rated:
            rows[RatedRow].append((match.id, match.id, match.game.key, 1.0, match.everywhere))
            its = (match.game.key, match.guild, match.everywhere)
            rows[RatedSeatRow] += [
                (match.id, seat, user, match.at, place, before, *its, outcome)
                for seat, (user, place, before, outcome) in enumerate(
                    zip(match.users, match.places, ladder.climb(match), outcomes, strict=True)
                )
            ]
        if len(rows[MatchRow]) == MANY:
            yield from rows.items()
            rows.clear()
    yield from rows.items()
    yield from ladder.rows()


def _awards(match: Played, outcomes: Iterable[Outcome]) -> list[Row]:
    """Now and then a win proves one of the achievements of its game."""
    own = OF_GAME.get(match.game.key, ())
    number, rest = divmod(match.id, RARE)
    if rest or not own:
        return []
    key = own[number % len(own)].key
    winners = (user for user, it in zip(match.users, outcomes, strict=True) if it is Outcome.WON)
    return [(match.id, user, key, match.at) for user in winners]


def _match(match: Played) -> Row:
    options = tuple(match.game.check({}, len(match.users)).items())
    setup = (match.game.key, options, len(match.users), match.game.version)
    begin = match.at - timedelta(hours=1)
    return (match.id, *setup, match.guild, _channel(match), PLIES, begin, match.at, match.rated)


def _board(match: Played) -> Row:
    channel = _channel(match)
    shown = (1, match.at, 1, channel + match.id, PLIES)
    return (PostKind.BOARD, match.id, "", match.guild, channel, *shown, False, ())


def _channel(match: Played) -> int:
    return (match.guild or match.users[0]) + 1


def _rating(standing: Standing) -> Row:
    skill, games, won, drawn = standing.held.skill, standing.games, standing.won, standing.drawn
    counts = (won, drawn, games - won - drawn)
    return (skill.mu, skill.sigma, skill.score, *counts, standing.held.week, standing.held.was)


def _tallies(held: Collection[HeldSkill]) -> Iterator[Row]:
    """The number of members with each score now, and the increase since the board's last week began."""
    week = max((it.week for it in held), default=0)
    members = Counter(it.skill.score for it in held)
    were = (it.was if week and it.week == week else it.skill.score for it in held)
    began = Counter(it for it in were if it is not None)
    for score in members.keys() | began.keys():
        gained = members[score] - began[score]
        if members[score] or gained:
            yield score, members[score], week, gained
