"""Tables of groups: published tournaments, and properties of points and places."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bot.app.events.standing import DRAW, LOSS, WIN, Game, table

HALVES = {"1": WIN, "½": DRAW, "0": LOSS, ".": None}

# The Candidates Tournament of 2016 after 13 of 14 rounds, two games of each pair: a row for each player.
CANDIDATES = {
    "Caruana": "** ½. ½1 ½½ ½½ ½½ ½1 ½½",
    "Karjakin": "½. ** 10 ½½ ½½ ½½ 1½ ½1",
    "Anand": "½0 01 ** ½½ 1. ½1 ½0 1½",
    "Giri": "½½ ½½ ½½ ** ½½ ½½ ½½ ½.",
    "Svidler": "½½ ½½ 0. ½½ ** ½1 ½½ ½½",
    "Aronian": "½½ ½½ ½0 ½½ ½0 ** 1. 1½",
    "Nakamura": "½0 0½ ½1 ½½ ½½ 0. ** 11",
    "Topalov": "½½ ½0 0½ ½. ½½ 0½ 00 **",
}
NAMES = [*CANDIDATES]
LAST_ROUND = [("Svidler", "Anand"), ("Giri", "Topalov"), ("Nakamura", "Aronian"), ("Karjakin", "Caruana")]


def games_of(rows: Sequence[str]) -> list[Game]:
    """Return the games of a published cross table, in which every cell is told by both rows."""
    cells = [row.split() for row in rows]
    games = []
    for one, other in combinations(range(len(rows)), 2):
        for mine, theirs in zip(cells[one][other], cells[other][one], strict=True):
            games.append(Game(one, other, HALVES[mine], running=mine == "."))
            assert {mine, theirs} in ({"1", "0"}, {"½"}, {"."}), "the rows of the table differ"
    return games


def candidates(*results: int) -> list[tuple[str, int, int]]:
    """Return name, half points and place in 2016 after these results of the last round."""
    games = [it for it in games_of([*CANDIDATES.values()]) if not it.running]
    for (one, other), halves in zip(LAST_ROUND, results, strict=False):
        games.append(Game(NAMES.index(one), NAMES.index(other), halves))
    return [(NAMES[it.entrant], it.points, it.place) for it in table(range(len(NAMES)), games)]


def test_points_are_those_of_a_published_cross_table() -> None:
    points = {name: halves / 2 for name, halves, _ in candidates()}
    assert points == dict(zip(NAMES, (7.5, 7.5, 7.0, 6.5, 6.5, 6.5, 6.5, 4.0), strict=True))


def test_the_final_table_is_the_published_one() -> None:
    final = candidates(DRAW, DRAW, DRAW, WIN)
    assert final[0] == ("Karjakin", 17, 1)
    # Caruana won the direct encounter with Anand.
    assert final[1:3] == [("Caruana", 15, 2), ("Anand", 15, 3)]
    assert {(name, points) for name, points, _ in final[3:7]} == {
        (name, 14) for name in ("Giri", "Svidler", "Aronian", "Nakamura")
    }
    assert final[7] == ("Topalov", 9, 8)


def test_three_who_are_tied_are_ranked_by_the_games_among_them() -> None:
    """As the arbiters explained before the last round: Caruana would have won such a tie."""
    assert candidates(LOSS, DRAW, DRAW, DRAW)[0][0] == "Caruana"


def test_sonneborn_berger_is_that_of_a_published_example() -> None:
    """A double round robin of four: A and B have four points each, and 11 and 9 by Sonneborn-Berger."""
    rows = table(range(4), games_of(["** 01 11 10", "10 ** 01 11", "00 10 ** 11", "01 00 00 **"]))
    assert [(it.entrant, it.points / 2, it.quarters / 4) for it in rows[:2]] == [(0, 4, 11), (1, 4, 9)]
    assert [it.direct for it in rows[:2]] == [2, 2]
    assert [it.place for it in rows] == [1, 2, 3, 4]


def test_equal_entrants_share_a_place() -> None:
    circle = [
        Game(0, 1, WIN),
        Game(1, 2, WIN),
        Game(2, 0, WIN),
        Game(0, 3, WIN),
        Game(1, 3, WIN),
        Game(2, 3, WIN),
    ]
    assert [(it.entrant, it.place) for it in table(range(4), circle)] == [(0, 1), (1, 1), (2, 1), (3, 4)]


def test_an_unfinished_direct_encounter_decides_nothing() -> None:
    first_won = [Game(0, 1, LOSS), Game(1, 0, None, running=True), Game(0, 2, WIN)]
    assert [it.direct for it in table(range(3), first_won)] == [0, 0, 0]


@st.composite
def played(draw: st.DrawFn) -> tuple[int, list[Game]]:
    """Some entrants, and the games of a round robin of which some have a result."""
    entrants = draw(st.integers(2, 7))
    results = st.sampled_from((WIN, DRAW, LOSS, None))
    return entrants, [Game(*pair, draw(results)) for pair in combinations(range(entrants), 2)]


@given(played())
def test_a_table_is_the_sum_of_its_games(group: tuple[int, list[Game]]) -> None:
    entrants, games = group
    rows = table(range(entrants), games)
    assert sorted(it.entrant for it in rows) == [*range(entrants)]
    finished = [it for it in games if it.halves is not None]
    assert sum(it.points for it in rows) == WIN * len(finished)
    assert sum(it.played for it in rows) == 2 * len(finished)
    assert [it.points for it in rows] == sorted((it.points for it in rows), reverse=True)
    keys = [(it.points, it.direct, it.quarters) for it in rows]
    assert [it.place for it in rows] == [1 + sum(other > key for other in keys) for key in keys]


@given(played(), st.randoms(use_true_random=False))
def test_neither_the_order_of_games_nor_that_of_entrants_matters(
    group: tuple[int, list[Game]], chance: Random
) -> None:
    entrants, games = group
    shuffled, numbers = [*games], [*range(entrants)]
    chance.shuffle(shuffled)
    chance.shuffle(numbers)
    swapped = [Game(it.second, it.first, None if it.halves is None else WIN - it.halves) for it in shuffled]
    assert {it.entrant: it for it in table(numbers, swapped)} == {
        it.entrant: it for it in table(range(entrants), games)
    }
