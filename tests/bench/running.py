"""Rows of running games, for stores in which much is going on."""

import random
from collections.abc import Iterator, Sequence

from db.models import MatchRow, PlyRow, PostRow, SeatRow
from db.values.posts import PostKind
from rules.core.match import Match
from rules.games import GAMES
from tests.bench.population import FIRST_ID, NOW
from tests.bench.records import Batch

PLIES = 12
"""The most entries of the log of a running game."""


def running(count: int, first: int, chance: random.Random, starts: Sequence[Match] = ()) -> Iterator[Batch]:
    """Rows of `count` running games of two members each, numbered from `first`.

    They begin like `starts` in turn, or like all games in their usual sizes.
    """
    found = starts or [Match.start(game, {}, 2) for game in GAMES for _ in range(20)]
    openings = [_opening(start, chance) for start in found]
    matches, seats, plies, posts = [], [], [], []
    for number in range(count):
        match, id_ = openings[number % len(openings)], first + number
        guild = FIRST_ID + (number % 400 << 22)
        setup, length = match.setup, len(match.log)
        place = (guild, guild + 1)
        version = match.game.version
        matches.append(
            (id_, setup.game, setup.options, setup.players, version, *place, length, NOW, None, True)
        )
        seats += [(id_, seat, FIRST_ID + 2 * number + seat, None, None) for seat in range(setup.players)]
        plies += [(id_, ply, seat, text, NOW) for ply, (seat, text) in enumerate(match.log)]
        shown = (length, guild + 2 + number, length)
        posts.append((PostKind.BOARD, id_, "", *place, length, NOW, *shown, False, ()))
    yield from ((MatchRow, matches), (SeatRow, seats), (PlyRow, plies), (PostRow, posts))


def _opening(match: Match, chance: random.Random) -> Match:
    """A game after some random moves; games with secrets have only just begun."""
    for _ in range(PLIES):
        legal = match.legal()
        if not legal or match.over:
            break
        after = match.play(match.to_move[0], chance.choice(legal))
        if after.over:
            break
        match = after
    return match
