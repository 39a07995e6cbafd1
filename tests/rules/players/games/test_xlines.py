"""Exact play of X's and Lines, compared with a plain search over the rules."""

import random

import pytest

from rules.core.match import Match
from rules.games.xlines import XLines, XLinesState
from rules.players.games.xlines import XLinesPlayer, find_trap
from rules.players.games.xlines.exact import (
    FILE,
    SEARCHED,
    PlacingSolver,
    PositionBudget,
    as_bits,
    ease,
    same_form,
    solve_lines,
    winning_reply,
)
from rules.players.games.xlines.position import names
from rules.players.levels import Budget
from tests.rules.walks import step
from tests.seeds import seeds

GAME = XLines()
PLAYER = XLinesPlayer()
PLENTY = 10**9


def start(size: int) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def wins(state: XLinesState) -> bool:
    """Return True if the seat on turn wins, by the rules alone."""
    mover = state.mover
    if not GAME.to_move(state):
        return mover in (GAME.winners(state) or ())
    for move in GAME.legal(state):
        after = GAME.apply(state, mover, move)
        if wins(after) == (after.mover == mover):
            return True
    return False


def keeping(match: Match) -> set[str]:
    """Return the moves that keep the result of a position, by the rules alone."""
    won = wins(match.state)
    after = {text: match.play(match.to_move[0], text).state for text in match.legal() or ()}
    return {
        text for text, state in after.items() if (wins(state) == (state.mover == match.state.mover)) == won
    }


@seeds(40)
def test_line_phase_is_solved_as_by_the_rules(seed: int) -> None:
    chance = random.Random(seed)
    match = start(chance.choice((4, 5, 6)))
    while match.state.placing:
        match = step(match, chance)
    for _ in range(chance.randrange(3)):
        after = step(match, chance)
        match = match if after.over else after
    position = PLAYER.position(match)
    solved = solve_lines(position, PLENTY)
    assert solved is not None
    assert solved.value == wins(match.state)
    assert {PLAYER.text(position, code) for code in solved.best} == keeping(match)


def first_wins(size: int, xs: frozenset[int], known: dict[frozenset[int], bool]) -> bool:
    """Return True if seat 0 wins with a set of x's, by the rules alone."""
    if xs not in known:
        match = start(size)
        for cell in sorted(xs):
            match = match.play(match.to_move[0], names(size)[cell])
        if len(xs) == size:
            known[xs] = wins(match.state)
        else:
            results = (first_wins(size, xs | {cell}, known) for cell in range(size**2) if cell not in xs)
            known[xs] = any(results) if len(xs) % 2 == 0 else all(results)
    return known[xs]


@pytest.mark.parametrize(("size", "winner"), [(3, 0), pytest.param(4, 1, marks=pytest.mark.soak)])
def test_small_boards_are_solved_as_by_the_rules(size: int, winner: int) -> None:
    """Every set of x's that the plain search over the rules meets has the solver's result, the empty board too."""
    known: dict[frozenset[int], bool] = {}
    assert first_wins(size, frozenset(), known) == (winner == 0)
    solver = PlacingSolver(size, PositionBudget(PLENTY), as_bits)
    for xs, won in known.items():
        assert solver.first_wins(tuple(xs)) == won
    assert PLAYER.solve({"size": size}, compiled=False).winner == winner


def test_first_player_wins_size_5() -> None:
    assert PLAYER.solve({"size": 5}, compiled=False).winner == 0


@pytest.mark.soak
def test_compiled_solver_agrees_with_the_plain_one() -> None:
    """Numba takes ten seconds to compile it. The first player wins all sizes but 4."""
    from rules.players.games.xlines import compiled

    for size in range(3, 7):
        plain = PLAYER.solve({"size": size}, compiled=False)
        won, positions, _ = compiled.solve(size)
        assert (plain.winner == 0, plain.positions) == (won, positions) == (size != 4, positions)


def best(match: Match) -> str:
    position = PLAYER.position(match)
    solved = PLAYER.solved(position, PLENTY)
    assert solved is not None
    return PLAYER.text(position, solved.best[0])


def finish(match: Match, seat: int, chance: random.Random) -> Match:
    """Play on: `seat` by the solver, the other at random, often beside an x."""
    while not match.over:
        match = match.play(seat, best(match)) if match.to_move == (seat,) else step(match, chance)
    return match


@pytest.mark.parametrize("size", [6, *(pytest.param(it, marks=pytest.mark.soak) for it in (7, 8))])
@pytest.mark.parametrize("games", [1, pytest.param(300, marks=pytest.mark.soak)])
def test_first_player_of_the_opening_table_wins(size: int, games: int) -> None:
    chance = random.Random(size)
    for _ in range(games):
        assert finish(start(size), 0, chance).winners == (0,)


def test_opening_table_knows_mirror_images() -> None:
    for line in FILE.read_text().splitlines()[::20]:
        size = int(line.split()[0])
        *xs, reply = (names(size).index(name) for name in line.split()[1:])
        mirrored = [size * (cell // size) + size - 1 - cell % size for cell in xs]
        there = winning_reply(size, mirrored)
        assert there is not None
        assert same_form(size, [*mirrored, there])[0] == same_form(size, [*xs, reply])[0]


@pytest.mark.parametrize("seed", range(3))
def test_table_entries_are_proved_again(seed: int) -> None:
    chance = random.Random(seed)
    xs: tuple[int, ...] = ()
    size = 6
    while size - len(xs) > SEARCHED - 2:
        reply = winning_reply(size, xs)
        if reply is None:
            break
        xs = (*xs, reply)
        xs = (*xs, chance.choice([cell for cell in range(size**2) if cell not in xs]))
    assert len(xs) > 2
    assert PlacingSolver(size, PositionBudget(PLENTY), as_bits).first_wins(xs)


def test_a_small_budget_leaves_the_position_open() -> None:
    match = start(8)
    for name in ("a1", "b1", "h8", "c1", "h1"):
        match = match.play(match.to_move[0], name)
    assert PLAYER.solved(PLAYER.position(match), 10) is None


def placed(size: int, *names_: str) -> Match:
    match = start(size)
    for name in names_:
        match = match.play(match.to_move[0], name)
    return match


def losing_replies(match: Match) -> set[str]:
    """Return the x's of seat 0 after which seat 1 wins."""
    solver = PlacingSolver(match.state.size, PositionBudget(PLENTY), as_bits)
    xs = PLAYER.position(match).xs
    free = [cell for cell in range(match.state.size**2) if cell not in xs]
    return {names(match.state.size)[cell] for cell in free if not solver.first_wins((*xs, cell))}


@pytest.mark.soak
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2))])
def test_after_a_trap_more_replies_lose_than_after_other_xs_on_average(seed: int) -> None:
    """Its share is no more than the truth: losing replies are proved, and safe ones guessed."""
    chance = random.Random(seed)
    match = start(6)
    while len(match.log) < 3:
        match = step(match, chance)
    trap = find_trap(6, PLAYER.position(match).xs, PositionBudget(1_000_000), chance)
    assert trap is not None
    assert trap.tried == 32
    found = len(losing_replies(match.play(1, names(6)[trap.cell]))) / 32
    assert trap.share <= found
    others = [
        len(losing_replies(match.play(1, other))) / 32 for other in chance.sample(match.legal() or (), 5)
    ]
    assert found > sum(others) / 5


def test_the_strongest_level_needs_no_search_for_its_first_xs_as_second() -> None:
    """Its x's go to the middle, and then where few lines are open."""
    choice = PLAYER.choose(placed(8, "a1"), 1, Budget(level=5), 1)
    assert choice.move in {"d4", "d5", "e4", "e5"}
    assert not choice.exact
    assert choice.value is not None
    assert 0 < choice.value < 1
    assert choice.visits > 0
    assert PLAYER.choose(placed(8, "a1"), 1, Budget(level=5), 1) == choice


def test_a_budget_that_is_too_small_for_a_trap_still_gives_an_x() -> None:
    match = placed(8, "a1", "d4", "h8", "e5", "b7")
    assert find_trap(8, PLAYER.position(match).xs, PositionBudget(10), random.Random(1)) is None
    assert PLAYER.choose(match, 1, Budget(nodes=1), 1).move in (match.legal() or ())


@pytest.mark.soak
def test_last_x_of_a_lost_position_leaves_few_winning_lines() -> None:
    """The opponent has to find one of few lines among many."""
    chance = random.Random(4)
    match = start(8)
    while len(match.log) < 7:
        match = step(match, chance)
    choice = PLAYER.choose(match, 1, Budget(level=5), 1)
    assert choice.exact
    assert choice.value == 0

    def easy(text: str) -> float:
        return ease(PLAYER.position(match.play(1, text)), PositionBudget(PLENTY))

    assert easy(choice.move) == min(map(easy, match.legal() or ()))
