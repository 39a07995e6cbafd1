"""The computer player of the Palindromic Card Game: best rows, perfect search, and eyes that miss some names."""

import random

import pytest

from rules.core.match import Match
from rules.games.palindromes import Palindromes, palindromes
from rules.players.choose import choose, levels_of
from rules.players.games.palindromes import chance_to_find, expected_share, score_odds
from rules.players.games.palindromes.rows import best_rows, table, worth
from rules.players.levels import Budget
from rules.players.player import Choice, Unsolvable
from rules.players.solve import results
from tests.rules.plain import palindromes_rows as plain
from tests.rules.walks import finish

GAME = Palindromes()
*WEAKER, STRONGEST = levels_of(GAME)


def dealt(cards: int, reds: int) -> Match:
    return Match.start(GAME, {"cards": cards}, 2).play(None, f"deal {reds}")


def decide(match: Match, seat: int, level: int, seed: int = 3) -> Choice:
    return choose(match, seat, Budget(level=level), seed)


def play(cards: int, reds: int, levels: tuple[int, int], seed: int) -> Match:
    match = dealt(cards, reds)
    while not match.over:
        seat = match.to_move[0]
        assert seat is not None
        match = match.play(seat, decide(match, seat, levels[seat], seed).move)
    return match


@pytest.mark.parametrize("cards", range(8, 13))
def test_table_is_right_for_small_hands(cards: int) -> None:
    assert tuple(worth(cards, reds) for reds in range(cards + 1)) == plain.best(cards)


@pytest.mark.soak
@pytest.mark.parametrize("cards", range(13, 18))
def test_table_is_right_for_middle_hands(cards: int) -> None:
    assert tuple(worth(cards, reds) for reds in range(cards + 1)) == plain.best(cards)


def test_row_of_twelve_is_worth_what_the_rulebook_says() -> None:
    known = {9: 3, 8: 3, 7: 2, 6: 2, 5: 1}
    assert [worth(12, reds) for reds in range(13)] == [known.get(reds, 0) for reds in range(13)]


def test_rows_of_the_table_are_of_their_hands_and_worth_what_it_says() -> None:
    for (cards, reds), best in table().items():
        assert best.rows
        for row in best.rows:
            assert (len(row), row.count("R")) == (cards, reds)
            assert plain.worth(plain.number(row), cards) == best.worth


@pytest.mark.parametrize("cards", [8, 11, 14, 17])
def test_search_for_rows_agrees_with_the_table(cards: int) -> None:
    for reds in range(cards + 1):
        best = best_rows(cards, reds, 4)
        assert best.worth == worth(cards, reds)
        assert all(row.bit_count() == reds and plain.worth(row, cards) == best.worth for row in best.rows)


@pytest.mark.soak
def test_compiled_search_for_rows_is_the_plain_one() -> None:
    for reds in (0, 4, 9, 16):
        assert best_rows(20, reds, 4, compiled=True) == best_rows(20, reds, 4)


@pytest.mark.parametrize("level", [*WEAKER, STRONGEST])
def test_row_tells_nothing_of_the_row_of_the_other_seat(level: int) -> None:
    chance = random.Random(level)
    for reds in (3, 6, 8):
        alone = decide(dealt(12, reds), 1, level)
        for _ in range(5):
            cards = "".join(chance.sample("R" * reds + "B" * (12 - reds), 12))
            assert decide(dealt(12, reds).play(0, f"arrange {cards}"), 1, level) == alone


@pytest.mark.parametrize("level", [*WEAKER, STRONGEST])
def test_search_tells_nothing_of_what_the_other_seat_has_found(level: int) -> None:
    match = dealt(12, 7)
    for seat in (0, 1):
        match = match.play(seat, decide(match, seat, level).move)
    row = match.state.rows[0]
    alone = decide(match, 0, level)
    others = [match.play(1, f"find {name}") for name in palindromes(row)]
    others += [match.play(1, "done"), others[-1].play(1, "done")]
    assert all(decide(other, 0, level) == alone for other in others)


@pytest.mark.parametrize("level", [*WEAKER, STRONGEST])
def test_names_seen_in_a_row_stay_the_same(level: int) -> None:
    match = dealt(16, 8)
    for seat in (0, 1):
        match = match.play(seat, decide(match, seat, level).move)
    names = palindromes(match.state.rows[0])
    alone = match
    while 1 in alone.to_move:
        alone = alone.play(1, decide(alone, 1, level).move)
    seen = alone.state.found[1]
    for first in names:
        helped = match.play(1, f"find {first}")
        while 1 in helped.to_move:
            helped = helped.play(1, decide(helped, 1, level).move)
        assert set(helped.state.found[1]) == {*seen, first}


def test_strongest_level_finds_everything_and_keeps_what_its_hand_is_worth() -> None:
    for seed in range(15):
        cards, level = (8, 12, 16)[seed % 3], 1 + seed % 5
        reds = random.Random(seed).randint(cards // 3, cards - cards // 3)
        for seat in (0, 1):
            match = play(cards, reds, (STRONGEST, level) if seat == 0 else (level, STRONGEST), seed)
            own, other = (reds, cards - reds) if seat == 0 else (cards - reds, reds)
            assert match.scores is not None
            assert match.scores[seat] >= worth(cards, own)
            assert match.scores[1 - seat] <= worth(cards, other)
            start = decide(dealt(cards, reds), seat, STRONGEST)
            assert start.exact
            if start.value == 1:
                assert match.winners == (seat,)
            elif start.value == 0.5:
                assert seat in (match.winners or ())


@pytest.mark.soak
def test_strongest_level_never_loses_what_is_won_against_anything() -> None:
    for seed in range(2000):
        chance = random.Random(seed)
        match = dealt(12, chance.randint(4, 8))
        value = decide(match, 0, STRONGEST).value
        while 0 in match.to_move:
            match = match.play(0, decide(match, 0, STRONGEST, seed).move)
            if match.game.phase(match.state) == "arrange":
                reds, blacks = match.state.hand(1)
                match = match.play(1, f"arrange {''.join(chance.sample('R' * reds + 'B' * blacks, 12))}")
        match = finish(match, chance, 99)
        assert match.winners is not None
        assert value is not None
        assert (0 in match.winners) >= (value >= 0.5)
        assert (match.winners == (0,)) >= (value == 1)


def test_any_budget_plays_like_the_strongest_level() -> None:
    match = dealt(26, 12)
    best = choose(match, 0, Budget(level=STRONGEST), 7)
    assert choose(match, 0, Budget(nodes=1), 7) == choose(match, 0, Budget(seconds=0.01), 7) == best


def test_best_rows_are_not_always_the_same() -> None:
    rows = {decide(dealt(16, 7), 0, STRONGEST, seed).move for seed in range(40)}
    assert len(rows) == 8


def test_longer_and_crossed_names_are_harder_to_find() -> None:
    row = "RBBRBBRBBBBRRB"
    assert chance_to_find("R", row, 0.4) == 1
    assert chance_to_find("RR", row, 0.4) > chance_to_find("RBBBBR", row, 0.4)
    # RBBR stands twice, and the two share a red card.
    assert chance_to_find("RBBR", "RBBRBBR", 0.4) < chance_to_find("RBBR", "RBBRB", 0.4)


def test_chances_of_a_row_are_those_of_its_names() -> None:
    assert score_odds("RBBRRBBBRBBR", 0) == {1: 1.0}
    odds = score_odds("RBBRRB", 0.5)
    assert sum(odds.values()) == pytest.approx(1)
    missed = [1 - chance_to_find(name, "RBBRRB", 0.5) for name in palindromes("RBBRRB")]
    assert sum(score * chance for score, chance in odds.items()) == pytest.approx(sum(missed))
    assert expected_share({2: 1.0}, {1: 0.5, 2: 0.25, 3: 0.25}) == 0.625


def test_solve_prints_a_line_for_every_hand_of_a_size() -> None:
    lines = list(results(["palindromes", "--cards", "12", "--plain"]))
    options = [{"cards": 12, "misses": 0, "reds": reds} for reds in range(13)]
    assert [line["options"] for line in lines] == options
    assert [line["margin"] for line in lines] == list(plain.best(12))
    assert {line["winner"] for line in lines if line["margin"] == 0} == {None}
    (one,) = results(["palindromes", "--cards", "12", "--reds", "7"])
    assert (one["margin"], one["end"]) == (2, "win")


def test_hand_with_too_many_reds_cannot_be_solved() -> None:
    with pytest.raises(Unsolvable, match="0 to 12 red"):
        list(results(["palindromes", "--cards", "12", "--reds", "13"]))
