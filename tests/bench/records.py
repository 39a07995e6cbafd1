"""What the store would hold after the matches of a crowd: rows for the tables that leaderboards and profiles read.

All rows agree with each other, as if every match had been rated when it ended, but two things are simpler than in life:
a Kalman filter with the uncertainty that openskill arrives at stands in for openskill, which would take hours; and each
rated match counts in full. Plies are left out: no rating, leaderboard or profile reads one, only the page of a history
those of its few games.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter
from typing import Any

from db.models import Base, MatchRow, RatedRow, RatedSeatRow, RatingRow, SeatRow, TallyRow
from db.ratings.boards import boards_of, outcomes_of, periods_of, week_of
from db.values import ALWAYS, NEWCOMER, Board, Held, Outcome, Skill
from tests.bench.crowd import Played

LEARNING = 0.085
"""After n games openskill's uncertainty is about 1 / sqrt(1 + n * LEARNING) of what it was."""
NEW = Held()
NOISE = NEWCOMER.sigma / math.sqrt(LEARNING)
PLIES = 20
MANY = 20_000
"""Matches, or ratings, whose rows are handed over together."""

Row = tuple[Any, ...]
Batch = tuple[type[Base], list[Row]]
"""A table, and rows to add to it, each with the columns that `COLUMNS` names; the others are given nothing."""

COLUMNS: Mapping[type[Base], Sequence[str]] = {
    MatchRow: (
        *("id", "game", "options", "players", "version", "guild", "channel", "plies", "started_at"),
        *("finished_at", "panel_channel", "panel_message", "panel_plies", "rated"),
    ),
    SeatRow: ("match_id", "seat", "user_id", "outcome", "finished_at"),
    RatedRow: ("id", "match_id", "game", "weight"),
    RatedSeatRow: (
        *("match_id", "seat", "user_id", "at", "rank", "before"),
        *("game", "guild", "everywhere", "outcome"),
    ),
    RatingRow: (
        *("period", "game", "guild", "user_id", "mu", "sigma", "score", "won", "drawn", "lost"),
        *("week", "was"),
    ),
    TallyRow: ("period", "game", "guild", "score", "members", "week", "gained"),
}


@dataclass(slots=True)
class Standing:
    """A member on a board."""

    held: Held = NEW
    games: int = 0
    won: int = 0
    drawn: int = 0

    def play(self, performance: float, outcome: Outcome, week: int) -> None:
        """Count a game in, in this week (0 on a board that ends)."""
        held = self.held
        self.games += 1
        self.won += outcome is Outcome.WON
        self.drawn += outcome is Outcome.DRAWN
        known = 1 + LEARNING * self.games
        mu = held.skill.mu + LEARNING / known * (performance - held.skill.mu)
        skill = Skill(mu, NEWCOMER.sigma / math.sqrt(known))
        if week > held.week:
            self.held = Held(skill, week, held.skill.score if held.week else None)
        else:
            self.held = Held(skill, held.week, held.was)


Boards = defaultdict[Board, defaultdict[int, Standing]]


class Ladder:
    """The boards as they stand after some matches, without those of weeks and months that are over."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._boards: Boards = defaultdict(lambda: defaultdict(Standing))

    def climb(self, match: Played) -> list[tuple[Held, ...]]:
        """Let a match count; what its players held before on each of its boards, by seat."""
        boards = boards_of(match.game.key, match.guild, match.at)
        week = week_of(match.at)
        befores = []
        outcomes = outcomes_of(match.places)
        for user, strength, outcome in zip(match.users, match.strengths, outcomes, strict=True):
            performance = NEWCOMER.mu + NEWCOMER.sigma * strength + self._chance.gauss(0.0, NOISE)
            standings = [self._boards[it][user] for it in boards]
            befores.append(tuple(it.held for it in standings))
            for board, standing in zip(boards, standings, strict=True):
                standing.play(performance, outcome, week if board.period == ALWAYS else 0)
        return befores

    def over(self, periods: Sequence[str] = ()) -> Iterator[Batch]:
        """The ratings and tallies of all boards that are not of these periods; they are let go."""
        ratings: list[Row] = []
        tallies: list[Row] = []
        ended = [board for board in self._boards if board.period not in periods]
        for board in sorted(ended, key=attrgetter("guild", "period", "game")):
            standings = self._boards.pop(board)
            key = (board.period, board.game, board.guild)
            ratings += [(*key, user, *_rating(standings[user])) for user in sorted(standings)]
            tallies += [(*key, *tally) for tally in _tallies(it.held for it in standings.values())]
            if len(ratings) > MANY:
                yield from ((RatingRow, ratings), (TallyRow, tallies))
                ratings, tallies = [], []
        yield from ((RatingRow, ratings), (TallyRow, tallies))


def records(matches: Iterable[Played], chance: random.Random) -> Iterator[Batch]:
    """All rows, those first that others refer to."""
    ladder = Ladder(chance)
    periods: Sequence[str] = ()
    rows: defaultdict[type[Base], list[Row]] = defaultdict(list)
    for match in matches:
        if periods != (periods := periods_of(match.at)):
            yield from ladder.over(periods)
        outcomes = outcomes_of(match.places)
        rows[MatchRow].append(_match(match))
        rows[SeatRow] += [
            (match.id, seat, user, outcome, match.at)
            for seat, (user, outcome) in enumerate(zip(match.users, outcomes, strict=True))
        ]
        if match.rated:
            rows[RatedRow].append((match.id, match.id, match.game.key, 1.0))
            rows[RatedSeatRow] += [
                (match.id, seat, user, match.at, place, before, match.game.key, match.guild, True, outcome)
                for seat, (user, place, before, outcome) in enumerate(
                    zip(match.users, match.places, ladder.climb(match), outcomes, strict=True)
                )
            ]
        if len(rows[MatchRow]) == MANY:
            yield from rows.items()
            rows.clear()
    yield from rows.items()
    yield from ladder.over()


def _match(match: Played) -> Row:
    options = tuple(match.game.check({}, len(match.users)).items())
    channel = (match.guild or match.users[0]) + 1
    setup = (match.game.key, options, len(match.users), match.game.version)
    panel = (channel, channel + match.id, PLIES)
    begin = match.at - timedelta(hours=1)
    return (match.id, *setup, match.guild, channel, PLIES, begin, match.at, *panel, match.rated)


def _rating(standing: Standing) -> Row:
    skill, games, won, drawn = standing.held.skill, standing.games, standing.won, standing.drawn
    counts = (won, drawn, games - won - drawn)
    return (skill.mu, skill.sigma, skill.score, *counts, standing.held.week, standing.held.was)


def _tallies(held: Iterable[Held]) -> Iterator[Row]:
    """How many hold each score now, and how many more these are than when the board's last week began."""
    held = list(held)
    week = max(it.week for it in held)
    members = Counter(it.skill.score for it in held)
    were = (it.was if week and it.week == week else it.skill.score for it in held)
    began = Counter(it for it in were if it is not None)
    for score in members.keys() | began.keys():
        gained = members[score] - began[score]
        if members[score] or gained:
            yield score, members[score], week, gained
