"""The Palindromic Card Game, position by position: what is read, refused, counted, and seen by whom."""

import random
from functools import partial

import pytest

from rules.core.errors import BadSetup, Illegal, Unreadable
from rules.core.game import Seat
from rules.core.match import HIDDEN, Match
from rules.core.prompt import RowPrompt, WordsPrompt
from rules.core.sizes import read_size, spell
from rules.games.palindromes import Palindromes, PalindromesView
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import finish, texts, view_of
from tests.seeds import seeds

ROW = "RBBRRBBBRBBR"
OTHER = "RRBBBRBRRRRB"


def played(*moves: str, cards: int = 12, misses: int = 0) -> Match:
    """Return a match after moves like `0 done`; the deal stands alone."""
    match = Match.start(Palindromes(), {"cards": cards, "misses": misses}, 2)
    for move in moves:
        seat, _, text = move.partition(" ")
        match = match.play(None, move) if seat == "deal" else match.play(int(seat), text)
    return match


board = partial(view_of, PalindromesView)

DEALT = ("deal 5",)
LAID = (*DEALT, f"0 arrange {ROW}", f"1 arrange {OTHER}")


@refusals_of(lambda row: played(*row["moves"]), move="text")
@pytest.mark.parametrize(
    ("moves", "seat", "text", "rule", "marks", "says"),
    [
        ((), None, "deal 13", "deal", (), "0 to 12"),
        ((), None, "done", "phase", (), "not dealt yet"),
        ((), 0, f"arrange {ROW}", "turn", (), "chance's"),
        (DEALT, None, "deal 6", "turn", (), "seat 0 and seat 1"),
        (DEALT, 0, "deal 6", "phase", (), "First arrange your cards"),
        (DEALT, 0, "find R", "phase", (), "First arrange your cards"),
        (DEALT, 0, "done", "phase", (), "First arrange your cards"),
        (DEALT, 0, "arrange RBBRRBBBRBB", "cards", ("R",), "5 ♦ and 7 ♣"),
        (DEALT, 0, "arrange RBBRRBBBRBBRR", "cards", ("R",), "has 6 ♦ and 7 ♣"),
        (DEALT, 0, "arrange RR", "cards", ("R", "B"), "has 2 ♦ and 0 ♣"),
        (DEALT, 0, "arrange RBBRRBBBRBBB", "colours", ("R", "B"), "has 4 ♦ and 8 ♣"),
        (DEALT, 1, f"arrange {ROW}", "colours", ("R", "B"), "all your cards, 7 ♦ and 5 ♣"),
        ((*DEALT, f"0 arrange {ROW}"), 0, f"arrange {ROW}", "turn", (), "but seat 1's"),
        (LAID, 1, "arrange R", "phase", (), "Both rows are shown now"),
        (LAID, 1, "deal 5", "phase", (), "Both rows are shown now"),
        (LAID, 1, "find BBRBB", "ends", ("BBRBB",), "begin and end with ♦"),
        (LAID, 1, "find RB", "ends", ("RB",), "begin and end with ♦"),
        (LAID, 1, "find BR", "ends", ("BR",), "begin and end with ♦"),
        (LAID, 1, "find RBBRR", "palindrome", ("RBBRR",), "from the other end it reads ♦♦♣♣♦"),
        (LAID, 1, "find RBR", "row", ("RBR",), "not in the other row"),
        (LAID, 1, "find " + "R" * 150, "row", ("R" * 150,), "not in the other row"),
        ((*LAID, "1 find RBBR"), 1, "rbbr", "named", ("RBBR",), "named ♦♣♣♦ before"),
        ((*LAID, "1 done"), 1, "find R", "turn", (), "but seat 0's"),
        ((*LAID, "1 done"), 1, "done", "turn", (), "but seat 0's"),
        ((*LAID, "1 done", "0 done"), 0, "done", "over", (), "over"),
    ],
)
def test_each_refusal_names_its_rule(
    moves: tuple[str, ...], seat: Seat | None, text: str, rule: str, marks: tuple[str, ...], says: str
) -> None:
    check_refusal(played(*moves), seat, text, rule, marks, says)


def test_a_refused_name_costs_nothing() -> None:
    match = played(*LAID, "1 find R")
    for wrong in ("R", "BB", "RBR", "RRB"):
        with pytest.raises(Illegal):
            match.play(1, wrong)
    end = match.play(1, "done").play(0, "done")
    assert end.scores == (4, 7)
    assert end.winners == (1,)


def test_the_last_of_so_many_wrong_names_ends_a_search() -> None:
    match = played(*LAID, "1 find R", misses=3)
    # Everybody can see without looking at the row that these are no finds.
    for free in ("R", "BB", "RB"):
        with pytest.raises(Illegal):
            match.play(1, free)
    match = match.play(1, "RBR").play(1, "1-5")
    assert match.log[-2:] == ((1, "find RBR"), (1, "find RBBRR"))
    assert match.observe(1).last == (1, "find RBBRR")
    prompt = match.observe(1).prompt
    assert isinstance(prompt, WordsPrompt)
    assert (prompt.given, prompt.wrong, prompt.left, prompt.row) == (("R",), ("RBR", "RBBRR"), 1, ROW)
    with pytest.raises(Illegal, match="before"):
        match.play(1, "RBR")
    match = match.play(1, "RR")
    assert match.to_move == (0, 1)
    match = match.play(1, "RBRBR")
    assert match.to_move == (0,)
    with pytest.raises(Illegal):
        match.play(1, "RBBR")
    end = match.play(0, "done")
    assert end.scores == (3, 7)
    assert board(end, None).wrong == ((), ("RBR", "RBBRR", "RBRBR"))


def test_wrong_names_are_hidden_like_finds() -> None:
    searched = played(*LAID, "1 RBR", "1 R", misses=2)
    plain = played(*LAID, misses=2)
    for seat in (None, 0):
        assert searched.observe(seat) == plain.observe(seat)
        assert searched.seen(seat) == plain.seen(seat)
    # The end of a search is public, but not what ended it.
    for seat in (None, 0):
        assert searched.play(1, "RBRBR").observe(seat) == plain.play(1, "done").observe(seat)
        assert searched.play(1, "RBRBR").seen(seat) == plain.play(1, "done").seen(seat)


def test_the_named_sizes_end_a_search_with_the_third_wrong_name() -> None:
    game = Palindromes()
    assert {size["misses"] for size in game.sizes.values()} == {3}
    for text in ("", "standard", "12", "cards 12", "12 3"):
        assert read_size(game, text) == {"cards": 12, "misses": 3}
    assert read_size(game, "12, 0") == read_size(game, "misses 0") == {"cards": 12, "misses": 0}
    assert spell(game, {"cards": 16}) == "16 cards in each hand"
    with pytest.raises(BadSetup):
        read_size(game, "16 3 2")


@pytest.mark.parametrize(
    ("moves", "text", "canonical"),
    [
        (DEALT, ROW, f"arrange {ROW}"),
        (DEALT, "rbbr rbbb rbbr", f"arrange {ROW}"),
        (DEALT, "Arrange: R,B,B,R,R,B,B,B,R,B,B,R", f"arrange {ROW}"),
        (DEALT, "arrange r-b-b-r-r-b-b-b-r-b-b-r", f"arrange {ROW}"),
        (LAID, "RBBR", "find RBBR"),
        (LAID, "♦♣♣♦", "find RBBR"),
        (LAID, "♦️ ♣️ ♣️ ♦️", "find RBBR"),
        (LAID, "r", "find R"),
        (LAID, "Find: r b b r", "find RBBR"),
        (LAID, "findrr", "find RR"),
        (LAID, "ＲＢＢＲ", "find RBBR"),
        (LAID, "1-4", "find RBBR"),
        (LAID, "4 to 1", "find RBBR"),
        (LAID, "find 1 – 4", "find RBBR"),
        (LAID, "#5", "find R"),
        (LAID, "9 12", "find RBBR"),
        (LAID, " DONE! ", "done"),
        (LAID, "`done`", "done"),
    ],
)
def test_what_people_type_is_read_generously(moves: tuple[str, ...], text: str, canonical: str) -> None:
    match = played(*moves)
    seat = 0 if match.game.phase(match.state) == "arrange" else 1
    assert match.play(seat, text).log[-1] == (seat, canonical)


@pytest.mark.parametrize("text", ["deal6", "Deal  6", "deal 06"])
def test_a_deal_is_read_generously(text: str) -> None:
    assert played().play(None, text).log == ((None, "deal 6"),)


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        (DEALT, "arrange"),
        (DEALT, "red black"),
        (DEALT, "6"),
        (LAID, "find"),
        (LAID, "RBBR RBBR"),
        (LAID, "R, RR"),
        (LAID, "0-4"),
        (LAID, "9-13"),
        (LAID, "149"),
        (LAID, "1-4-9"),
        (DEALT, "1-4"),
        (LAID, "find R find RR"),
        (LAID, "findings"),
        (LAID, "well done"),
        (LAID, "arrange"),
        (LAID, "deal"),
        (LAID, "deal -1"),
    ],
)
def test_what_is_no_move_is_not_guessed_at(moves: tuple[str, ...], text: str) -> None:
    with pytest.raises(Unreadable):
        played(*moves).play(1, text)


def test_scores_are_known_when_both_are_done_and_equal_ones_are_shared() -> None:
    match = played("deal 6", "1 arrange RRRRRRBBBBBB", "0 arrange BBBRRRRRRBBB")
    for name in ("R", "RR", "RRR"):
        match = match.play(0, name).play(1, name)
    assert match.scores is None
    match = match.play(0, "done").play(1, "RRRR")
    assert match.scores is None
    assert match.to_move == (1,)
    assert match.play(1, "done").scores == (2, 3)
    level = match.play(1, "resign")
    assert (level.scores, level.winners) == (None, (0,))
    shared = played("deal 6", "1 arrange RRRRRRBBBBBB", "0 arrange BBBRRRRRRBBB", "0 done", "1 done")
    assert (shared.scores, shared.winners) == ((6, 6), (0, 1))


@pytest.mark.parametrize("reds", [0, 12])
def test_a_hand_of_one_colour_can_only_be_laid_one_way(reds: int) -> None:
    match = played(f"deal {reds}", f"0 {'R' * reds}{'B' * (12 - reds)}", f"1 {'B' * reds}{'R' * (12 - reds)}")
    red, black = (0, 1) if reds else (1, 0)
    for length in range(12, 0, -1):
        match = match.play(black, "R" * length)
    end = match.play(0, "done").play(1, "done")
    assert (end.scores, end.winners) == ((0, 0), (0, 1))
    view = board(end, None)
    assert view.missed == ((), ())
    assert (view.found[red], len(view.found[black] or ())) == ((), 12)


def test_who_sees_what_and_when() -> None:
    match = played()
    assert all(board(match, seat).hand is None for seat in (None, 0, 1))
    match = match.play(None, "deal 5")
    assert [board(match, seat).hand for seat in (None, 0, 1)] == [None, (5, 7), (7, 5)]
    match = match.play(0, ROW)
    assert [board(match, seat).rows for seat in (None, 0, 1)] == [(None, None), (ROW, None), (None, None)]
    assert all(board(match, seat).laid == (True, False) for seat in (None, 0, 1))
    match = match.play(1, OTHER)
    assert all(board(match, seat).rows == (ROW, OTHER) for seat in (None, 0, 1))
    assert all(board(match, seat).hand is None for seat in (None, 0, 1))
    before = {seat: match.observe(seat) for seat in (None, 0, 1)}
    match = match.play(1, "RBBR").play(1, "RR")
    assert [board(match, seat).found for seat in (None, 0, 1)] == [
        (None, None),
        ((), None),
        (None, ("RBBR", "RR")),
    ]
    assert {seat: match.observe(seat) for seat in (None, 0)} == {seat: before[seat] for seat in (None, 0)}
    assert match.observe(1).plies == before[1].plies + 2
    assert match.observe(1).last == (1, "find RR")
    match = match.play(1, "done")
    assert match.seen(None) == ((None, HIDDEN), (0, HIDDEN), (1, HIDDEN), (1, HIDDEN))
    assert match.observe(0).last == (1, HIDDEN)
    assert board(match, 0).missed is None
    match = match.play(0, "R").play(0, "done")
    assert match.seen(None) == match.log
    for seat in (None, 0, 1):
        assert board(match, seat).found == (("R",), ("RBBR", "RR"))
        assert (board(match, seat).missed or ())[1] == ("R", "RBBBR")


def test_a_prompt_may_be_said_in_public() -> None:
    """The question is the same for every hand and every find; only the fields of the prompt's kind differ."""
    for seat in (0, 1):
        asked = {
            (prompt.ask, prompt.example)
            for reds in range(13)
            if isinstance(prompt := played(f"deal {reds}").observe(seat).prompt, RowPrompt)
        }
        assert len(asked) == 1
    first, second = played(*LAID), played(*LAID, "1 RBBR")
    prompts = [match.observe(1).prompt for match in (first, second)]
    given = [prompt.given for prompt in prompts if isinstance(prompt, WordsPrompt)]
    assert given == [(), ("RBBR",)]
    assert len({(prompt.ask, prompt.example) for prompt in prompts if prompt is not None}) == 1


@seeds(20)
def test_whatever_the_other_holds_lays_and_finds_the_view_is_the_same(seed: int) -> None:
    """A seat's view and list of moves, and a spectator's, follow from what is open to them alone."""
    chance = random.Random(seed)
    cards = chance.randint(8, 12)
    first = finish(Match.start(Palindromes(), {"cards": cards}, 2), chance, 3)
    second = first.log[2].seat
    laid = first.log[1]
    # Until the second has laid, nobody but the first can tell which row the first has laid.
    dealt = Match.replay(Palindromes(), first.setup, first.log[:1])
    assert laid.seat is not None
    one = dealt.play(laid.seat, laid.text)
    other = dealt.play(laid.seat, f"arrange {''.join(sorted(laid.text.split()[1]))}")
    for seat in (None, second):
        assert one.observe(seat) == other.observe(seat)
        assert one.seen(seat) == other.seen(seat)
    # Of two searches that differ in everything but who is done, nobody else can tell them apart either.
    for actor in (0, 1):
        ways = [first, first]
        for way in range(2):
            for _ in range(chance.randint(0, 6)):
                text = chance.choice(texts(ways[way], actor, chance))
                ways[way] = ways[way] if text == "done" else ways[way].play(actor, text)
        for done in (False, True):
            ends = [way.play(actor, "done") if done else way for way in ways]
            for seat in (None, 1 - actor):
                assert ends[0].observe(seat) == ends[1].observe(seat)
                assert ends[0].seen(seat) == ends[1].seen(seat)
