"""The strongest level on all sizes that can be solved: it makes no error, and no level claims a wrong value as proved.

A position is judged by the positions after its moves, which are solved on their own, and by the rules where the game is
over then. Alaric 17 to 19 and X's and Lines 8 are missing: `solve` takes too long for play there.
"""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.games.palindromes import palindromes
from rules.players.choose import choose, find_player, levels_of
from rules.players.games.maze import LARGEST as LARGEST_MAZE
from rules.players.games.palindromes.rows import best_rows, worth
from rules.players.games.spaghetti import LARGEST as LARGEST_SPAGHETTI
from rules.players.games.xlines.exact import PlacingSolver, PositionBudget, same_form
from rules.players.games.xlines.position import XLinesPosition
from rules.players.levels import EXACT, STRONGEST, Budget
from rules.players.player import SearchPlayer
from tests.rules.walks import step
from tests.seeds import chance_for, sample

pytestmark = pytest.mark.slow

PLENTY = 1 << 40
OTHERS = (
    Budget(nodes=2000, with_value=True),
    *(Budget(level=level, with_value=True) for level in range(1, EXACT)),
)
"""The search of a review, and the lower levels: they may err, but what they call proved is true."""

SIZES: Mapping[str, tuple[dict[str, int], ...]] = {
    "skull": tuple(
        {"width": width, "height": height} for width in range(1, 10) for height in range(1, width + 1)
    ),
    "alaric": tuple({"size": size} for size in range(1, 17)),
    "xlines": tuple({"size": size} for size in range(3, 8)),
    "polygons": tuple({"dots": 2, "size": size} for size in range(10, 27)),
    "spaghetti": tuple({"size": size} for size in range(2, LARGEST_SPAGHETTI + 1)),
    "maze": tuple({"size": size} for size in range(2, LARGEST_MAZE + 1)),
    "cocomposite": tuple({"size": size} for size in (4, 5)),
}
QUICK: Mapping[str, dict[str, int]] = {
    "skull": {"width": 5, "height": 4},
    "alaric": {"size": 10},
    "xlines": {"size": 5},
    "polygons": {"dots": 2, "size": 10},
    "spaghetti": {"size": 3},
    "maze": {"size": 3},
    "cocomposite": {"size": 4},
}
"""A size for each game that is solved in little time."""
CARDS = range(8, 27)


@cache
def placing(size: int) -> PlacingSolver:
    return PlacingSolver(size, PositionBudget(PLENTY), lambda xs: same_form(size, xs)[0])


def proved(player: SearchPlayer[Any], match: Match, seat: Seat) -> float:
    """Return the share of a seat under best play in a position where it has just moved."""
    if match.over:
        winners = match.winners or ()
        return 1 / len(winners) if seat in winners else 0.0
    position = player.position(match)
    if isinstance(position, XLinesPosition) and position.placing:
        return float(placing(position.size).first_wins(tuple(sorted(position.xs))) == (seat == 0))
    value = player.proved(position, PLENTY)
    if value is None:
        solved = player.whole(position)
        assert solved is not None
        value = solved.value
    return value if position.mover == seat else 1 - value


def check(match: Match, seed: int) -> None:
    """Check the choices in a position."""
    (seat,) = match.to_move
    assert seat is not None
    player = find_player(match.game)
    assert isinstance(player, SearchPlayer)
    after = {text: proved(player, match.play(seat, text), seat) for text in match.legal() or ()}
    value = max(after.values())
    for level in levels_of(match.game)[EXACT - 1 :]:
        best = choose(match, None, Budget(level=level, with_value=True), seed)
        assert (best.value, best.exact, after[best.move]) == (value, True, value), (level, match.log)
    for budget in OTHERS:
        choice = choose(match, None, budget, seed)
        assert not choice.exact or choice.value == after[choice.move] == value, (budget, match.log)


def positions(key: str, options: Mapping[str, int], number: int, chance: random.Random) -> list[Match]:
    """Return positions of random games, each from a game of its own."""
    found: list[Match] = []
    while len(found) < number:
        stages = [Match.start(find(key), dict(options), 2)]
        while not stages[-1].over:
            stages.append(step(stages[-1], chance))
        found.append(chance.choice(stages[:-1]))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("key", QUICK)
def test_strongest_level_makes_no_error(key: str) -> None:
    for seed, match in enumerate(positions(key, QUICK[key], sample(40), chance_for(f"exact {key}"))):
        check(match, seed)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("key", "options"),
    [
        pytest.param(key, options, id=f"{key} {' '.join(map(str, options.values()))}")
        for key, sizes in SIZES.items()
        for options in sizes
    ],
)
def test_strongest_level_makes_no_error_on_any_size(key: str, options: dict[str, int]) -> None:
    for seed, match in enumerate(positions(key, options, sample(100), chance_for(f"{key} {options}"))):
        check(match, seed)


def check_palindromes(match: Match) -> None:
    """Check the row that is laid, or the name that is found, by the strongest level."""
    seat = match.to_move[-1]
    assert seat is not None
    state = match.state
    best = choose(match, seat, STRONGEST, 1)
    word, _, row = best.move.partition(" ")
    if word == "arrange":
        reds = row.count("R")
        assert reds - len(palindromes(row)) == worth(state.cards, reds)
        others = worth(state.cards, state.cards - reds)
        assert (
            best.value == (1 + (worth(state.cards, reds) > others) - (worth(state.cards, reds) < others)) / 2
        )
    else:
        missed = set(palindromes(state.rows[1 - seat])) - set(state.found[seat])
        assert (row in missed) if word == "find" else not missed
    assert best.exact


@pytest.mark.parametrize("cards", [8, 12, *(pytest.param(cards, marks=pytest.mark.soak) for cards in CARDS)])
def test_strongest_level_lays_the_best_rows_and_finds_everything(cards: int) -> None:
    chance = chance_for(f"palindromes {cards}")
    for reds in range(cards + 1) if cards <= 15 else ():
        assert worth(cards, reds) == best_rows(cards, reds, 1).worth
    checked = 0
    while checked < sample(100):
        match = Match.start(find("palindromes"), {"cards": cards}, 2)
        for _ in range(chance.randrange(1, 20)):
            if not match.over:
                match = step(match, chance)
        if not match.over:
            check_palindromes(match)
            checked += 1
