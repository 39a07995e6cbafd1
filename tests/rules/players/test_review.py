"""The review of a finished game."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from rules.core.errors import BadSetup
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.record import write
from rules.games import find
from rules.games.skull import SkullState
from rules.players.choose import choose
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.players.review import (
    SECOND,
    Judged,
    Outlook,
    answers,
    backwards,
    doubted,
    final,
    judged,
    moments,
    other_way,
    outlook,
    positions,
    remarks,
    settled,
)
from tests.rules.walks import finish, played

SKULL = find("skull")
SIZE = {"width": 4, "height": 3}


def random_game(game: str, options: dict[str, int], seed: int, players: int = 2) -> Match:
    return finish(Match.start(find(game), options, players), random.Random(seed), 500)


@cache
def review(match: Match, nodes: int = 20_000) -> list[Judged]:
    def ask(stage: Match) -> Choice:
        return choose(stage, None, Budget(nodes=nodes), 0)

    def again(stage: Match) -> Choice:
        return choose(stage, None, SECOND, 1)

    outlooks = [found for _, found in backwards(match, positions(match), ask, again)][::-1]
    known = settled(match, outlooks)
    moves = (judged(match, ply, *around) for ply, around in enumerate(pairwise(known)))
    return [move for move in moves if move is not None]


@cache
def wins(state: SkullState) -> bool:
    """Return True if the player on turn wins, by looking at everything."""
    return any(not wins(SKULL.apply(state, state.mover, move)) for move in SKULL.legal(state) or ())


@pytest.mark.parametrize("seed", range(3))
def test_blunders_of_skull_are_found_exactly(seed: int) -> None:
    match = random_game("skull", SIZE, seed)
    stages = positions(match)
    moves = review(match)
    assert all(move.exact for move in moves)
    for move in moves:
        before, after = (wins(stages[ply].state) for ply in (move.ply, move.ply + 1))
        assert (move.before, move.after) == (before, not after)
        if move.clear:
            better = stages[move.ply].play(move.seat, move.better)
            assert not wins(better.state)
    assert [move.ply for move in moments(moves, 2)] == [
        move.ply for move in moves if wins(stages[move.ply].state) and wins(stages[move.ply + 1].state)
    ]


def test_some_of_these_games_have_a_blunder() -> None:
    found = [moments(review(random_game("skull", SIZE, seed)), 2) for seed in range(3)]
    assert any(found)
    assert not all(found)


def test_lost_ring_of_alaric_is_found() -> None:
    match = played(find("alaric"), "2", "6", "1", "5", "3", "7", "4", size=7)
    assert match.winners == (0,)
    moves = review(match, 4000)
    thrown = moves[1]
    assert (thrown.seat, thrown.before, thrown.after, thrown.exact) == (1, 1, 0, True)
    assert thrown in moments(moves, 2)
    assert thrown.better != "6"


def test_review_is_the_same_every_time() -> None:
    match = random_game("alaric", {"size": 9}, 3)
    assert review(match, 200) == review(match, 200)


@pytest.mark.soak
def test_shares_of_three_seats_add_up_and_their_errors_are_told() -> None:
    match = random_game("cocomposite", {"size": 5}, 1, players=3)
    stages = positions(match)

    def ask(stage: Match) -> Choice:
        return choose(stage, None, Budget(nodes=300), 0)

    for index, found in backwards(match, stages, ask, ask):
        assert found is not None
        assert sum(found.shares) == pytest.approx(1)
        assert found.exact == (found.error == 0)
        assert (found.best is None) == (index == len(stages) - 1)


def test_resigning_is_no_move_and_ends_the_estimate() -> None:
    match = random_game("alaric", {"size": 9}, 3)
    begun = Match.replay(match.game, match.setup, match.log[:4]).play(1, "resign")
    moves = review(begun, 100)
    assert [move.ply for move in moves] == [0, 1, 2, 3]


@pytest.mark.soak
def test_seat_that_leaves_three_expects_nothing_more() -> None:
    match = Match.start(find("cocomposite"), {"size": 4}, 3).play(0, "a1").play(1, "resign")
    match = finish(match, random.Random(1), 99)
    moves = review(match, 50)
    assert [move.ply for move in moves] == [0, *range(2, len(match.log))]
    assert all(move.seat != 1 for move in moves)


def estimate(share: float, error: float, best: str = "x") -> Outlook:
    return Outlook((share, 1 - share), exact=False, error=error, best=best)


def one(before: Outlook, after: Outlook) -> Judged:
    match = Match.start(find("alaric"), {}, 2).play(0, "3")
    move = judged(match, 0, before, after)
    assert move is not None
    return move


def test_swing_within_the_error_of_the_estimates_is_no_moment() -> None:
    assert one(estimate(0.6, 0.02), estimate(0.3, 0.02)).suspected
    assert not one(estimate(0.6, 0.1), estimate(0.3, 0.1)).suspected
    assert not one(estimate(0.6, 0.001), estimate(0.55, 0.001)).suspected
    assert not one(estimate(0.3, 0.001), estimate(0.6, 0.001)).suspected
    assert not one(estimate(0.6, 0.001, best="3"), estimate(0.3, 0.001)).suspected


def test_estimated_loss_is_a_moment_if_a_second_search_agrees() -> None:
    before, after = estimate(0.6, 0.02), estimate(0.3, 0.02)
    assert not one(before, after).clear
    agrees = one(replace(before, second=(estimate(0.7, 0.01), estimate(0.2, 0.01))), after)
    assert (agrees.clear, agrees.before, agrees.after) == (True, 0.7, 0.2)
    assert not one(replace(before, second=(estimate(0.5, 0.01), estimate(0.48, 0.01))), after).clear
    won = Outlook((1.0, 0.0), exact=True, best="x")
    proved = one(replace(won, second=(won, estimate(0.97, 0.01))), after)
    assert (proved.clear, proved.before, proved.after) == (False, 1, 0.97)


def test_only_a_doubtful_loss_is_searched_again() -> None:
    match = Match.start(find("alaric"), {}, 2).play(0, "3").play(1, "resign")
    stages = positions(match)
    before, after = estimate(0.6, 0.02, best="5"), estimate(0.3, 0.02)
    found = doubted(stages, 0, before, after)
    assert found is not None
    assert found == ((stages[0].play(0, "5"), None), (stages[1], None))
    won = Outlook((1.0, 0.0), exact=True, best="5")
    assert doubted(stages, 0, won, after) == ((stages[0], won), (stages[1], None))
    assert doubted(stages, 0, won, Outlook((0.0, 1.0), exact=True)) is None
    assert doubted(stages, 0, before, estimate(0.58, 0.02)) is None
    assert doubted(stages, 1, before, after) is None


def test_correct_wall_of_the_quick_maze_is_not_blamed() -> None:
    match = played(find("maze"), "a4-c3", "a2-b2", size=3)
    match = finish(match, random.Random(1), 99)
    moves = review(match, 100)
    assert all(move.exact for move in moves)
    assert (moves[1].move, moves[1].before, moves[1].after) == ("a2-b2", 1, 1)


def test_exact_loss_of_half_a_point_is_a_moment() -> None:
    won, drawn = Outlook((1.0, 0.0), exact=True, best="x"), Outlook((0.5, 0.5), exact=True, best="x")
    assert one(won, drawn).clear
    assert not one(drawn, drawn).clear


def test_estimates_are_compared_where_the_same_seat_is_to_move() -> None:
    hopeful, sober = estimate(0.8, 0.001), estimate(0.5, 0.001)
    assert one(hopeful, sober).suspected
    assert not one(replace(hopeful, kept=estimate(0.52, 0.001)), sober).suspected
    assert one(replace(hopeful, kept=estimate(0.7, 0.001)), sober).before == 0.7
    match = Match.start(find("alaric"), {}, 2)
    likely = estimate(0.8, 0.001, best="5")
    other = other_way(match, likely, "3")
    assert other is not None
    assert other.log == ((0, "5"),)
    assert other_way(match, likely, "5") is other_way(match, likely, None) is None
    assert other_way(match, replace(likely, exact=True), "3") is None


def test_worst_six_are_the_moments_in_the_order_of_the_game() -> None:
    base = replace(one(estimate(0.9, 0), estimate(0.1, 0)), confirmed=True)
    many = [Judged(ply, 0, "3", 0.5 + ply / 50, 0.2, False, 0.0, "x", confirmed=True) for ply in range(10)]
    assert [move.ply for move in moments([base, *many], 2)] == [0, 5, 6, 7, 8, 9]


def test_win_that_is_proved_later_was_a_win_before() -> None:
    match = Match.start(find("alaric"), {}, 2)
    doubted = Choice("5", 0.2, False, 10)
    won = Outlook((1.0, 0.0), exact=True)
    assert outlook(match, doubted, won, "3") == Outlook((1.0, 0.0), exact=True, best="3")
    other = outlook(match, doubted, won, None)
    assert other is not None
    assert not other.exact
    assert outlook(match, Choice("5", None, False, 0), None, "3") is None


def test_best_move_keeps_what_is_proved() -> None:
    match = Match.start(find("alaric"), {}, 2).play(0, "3").play(1, "4")
    won = Outlook((1.0, 0.0), exact=True, best="3")
    known = settled(match, (won, estimate(0.8, 0.1), estimate(0.4, 0.1)))
    assert [found is not None and found.exact for found in known] == [True, True, True]
    assert known[2] is not None
    assert known[2].shares == (1.0, 0.0)
    assert settled(match, (won, None, estimate(0.4, 0.1)))[1:] == (None, estimate(0.4, 0.1))
    assert judged(match, 0, won, None) is judged(match, 1, None, won) is None


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (Match.start(find("skull"), {}, 2), "Only a finished game"),
        (Match.start(find("skull"), {}, 2).play(None, "void"), "ended without a result"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(match: Match, why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        positions(match)


def palindromes_game(*plies: tuple[int | None, str]) -> Match:
    match = Match.start(find("palindromes"), {"cards": 8}, 2)
    for seat, text in plies:
        match = match.play(seat, text)
    return match


def test_game_with_hidden_moves_is_judged_with_everything_open() -> None:
    match = palindromes_game(
        (None, "deal 4"), (0, "RRRRBBBB"), (1, "BBBBRRRR"),
        (0, "R"), (0, "done"), (1, "R"), (1, "RR"), (1, "RRR"), (1, "RRRR"), (1, "done"),
    )  # fmt: skip
    assert match.winners == (1,)
    moves = review(match)
    (moment,) = moments(moves, 2)
    assert (moment.move, moment.seat, moment.better) == ("done", 0, "find RR")
    assert (moment.before, moment.after, moment.exact) == (0.5, 0.0, True)
    assert remarks(match) == (
        (0, "laid a row worth 0, and none is worth more"),
        (1, "laid a row worth 0, and none is worth more"),
        (0, "missed RR, RRR, RRRR"),
        (1, "found everything"),
    )


def test_worse_row_than_the_hand_could_lay_is_named() -> None:
    match = Match.start(find("palindromes"), {"cards": 12}, 2).play(None, "deal 9")
    match = match.play(0, "RRRRRRRRRBBB").play(1, "RRRBBBBBBBBB").play(0, "done").play(1, "done")
    moment = moments(review(match), 2)[0]
    assert (moment.ply, moment.seat, moment.before, moment.after) == (1, 0, 1, 0.5)
    assert moment.better.startswith("arrange ")
    said = remarks(match)[0][1]
    assert said.startswith("laid a row worth 0; the best row of that hand, ")
    assert said.endswith(", is worth 3")


def test_result_is_shared() -> None:
    agreed = Match.start(find("skull"), {}, 2).play(None, "draw")
    assert final(agreed).shares == (0.5, 0.5)


def test_process_judges_ply_by_ply() -> None:
    match = random_game("skull", SIZE, 2)
    lines = f"nonsense\n{json.dumps({**write(match), 'nodes': 20_000})}\n"
    done = subprocess.run(
        [sys.executable, "-m", "rules", "review"], input=lines, capture_output=True, text=True, check=True
    )
    wrong, *plies, last = (json.loads(line) for line in done.stdout.splitlines())
    assert wrong == {"error": "This line is not JSON."}
    assert [line["ply"] for line in plies] == list(range(len(match.log)))[::-1]
    assert not any("error" in line for line in plies)
    assert last == {"moments": [move.ply for move in moments(review(match), 2)]}


WRONG = [
    ({"game": "chess"}, "chess"),
    ({"moves": []}, "A line must be an object with a game"),
    ({"game": "skull", "level": 3}, "A line has no field"),
    ({"game": "skull", "nodes": 0}, "nodes must be from 1"),
    ({"game": "skull", "nodes": True}, "nodes must be a whole number."),
    ({"game": "skull"}, "Only a finished game"),
    ({"game": "skull", "moves": [[0, "z9"]]}, "z9"),
]


@pytest.mark.parametrize(("fields", "sentence"), WRONG)
def test_wrong_line_gets_a_sentence(fields: dict[str, object], sentence: str) -> None:
    (said,) = answers(json.dumps(fields))
    assert sentence in str(said["error"])


def test_seats_have_a_share_even_where_only_one_is_known() -> None:
    match = Match.start(find("maze"), {}, 3)
    after = Outlook((0.0, 1.0, 0.0), exact=True)
    found = outlook(match, Choice("a2-b2", 0.5, False, 10), after, None)
    assert found is not None
    assert found.shares == (0.5, 0.25, 0.25)
    seats: tuple[Seat | None, ...] = match.to_move
    assert seats == (0,)
