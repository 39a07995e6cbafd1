"""Palindromes: pictures and texts hold what the observer may see - rows, hand, finds - and nothing else."""

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import THEMES, alt, caption, draw, text_board
from render.board.annotations.draft import with_first, with_row
from render.board.seats import SEAT_MARKS
from render.engine import fonts
from render.picture import scene
from rules.core.game import Seat
from rules.core.match import Match, Observation
from rules.games import find
from rules.games.palindromes import PalindromesView, palindromes
from tests.render.board.test_every_picture import ending, overlapping, texts_can_be_read
from tests.render.positions import matches, observed
from tests.rules.walks import trials

PALINDROMES = find("palindromes")
COLOURS = {"R": "red", "B": "black"}

observers = st.sampled_from((None, 0, 1))
some_match = matches(PALINDROMES)

FIRST, SECOND = "RBBRRBBBRBBB", "BRBRRRRRRBRB"
"""Rows of the first player, who was dealt 4 red cards, and of the second, who was dealt 8."""


def game(*moves: tuple[Seat | None, str], cards: int = 12) -> Match:
    match = Match.start(PALINDROMES, {"cards": cards}, 2)
    for seat, text in moves:
        match = match.play(seat, text)
    return match


DEALT = game((None, "deal 4"))
LAID = DEALT.play(0, f"arrange {FIRST}")
OPEN = LAID.play(1, f"arrange {SECOND}")
FOUND = OPEN.play(0, "find R").play(1, "find RBBR").play(1, "find RR")


@trials(80)
@given(match=some_match, seat=observers)
def test_any_position_is_drawn_and_told(match: Match, seat: Seat | None) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, PalindromesView, seat)
    the_scene_holds_what_the_observer_knows(seat, seen, view)
    bows_hang_between_the_ends_of_their_palindrome(seen, view)
    texts_can_be_read_by_every_observer(seen)
    numbers_stand_above_their_cards(seen, view)
    the_text_board_says_everything(seat, seen, view)
    the_alt_text_says_everything(seat, seen, view)


def the_scene_holds_what_the_observer_knows(
    seat: Seat | None, seen: Observation, view: PalindromesView
) -> None:
    names = scene(seen).named()
    held = view.hand if seat is not None and not view.laid[seat] else None
    for owner, row in enumerate(view.rows):
        if seat is not None and view.missed is None and owner != (1 - seat if all(view.laid) else seat):
            # A player sees the row to lay or to search alone.
            row = ""
        hidden, waiting = row is None and view.laid[owner], row is None and not view.laid[owner]
        for card, colour in COLOURS.items():
            places = {str(place) for place, here in enumerate(row or "", 1) if here == card}
            assert ending(names, f"{colour} {owner}") == places
        everywhere = {str(place) for place in range(1, view.cards + 1)}
        assert ending(names, f"back {owner}") == (everywhere if hidden else set())
        assert ending(names, f"empty {owner}") == (everywhere if waiting else set())
    for number, colour in zip(held or (0, 0), COLOURS.values(), strict=True):
        assert ending(names, f"held {colour}") == {str(card) for card in range(1, number + 1)}
    for finder in (0, 1):
        assert ending(names, f"found {finder}") == set(view.found[finder] or ())
        assert ending(names, f"missed {finder}") == set(view.missed[finder] if view.missed else ())
    last = seen.last.text.removeprefix("find ") if seen.last and seen.last.text.startswith("find") else None
    assert ("last" in names) == (last is not None)
    if last is not None:
        assert names["last"] == names[f"found {seat} {last}"]


def bows_hang_between_the_ends_of_their_palindrome(seen: Observation, view: PalindromesView) -> None:
    names = scene(seen).named()
    for name, (x, _) in names.items():
        kind, _, rest = name.partition(" ")
        if kind not in ("found", "missed"):
            continue
        finder, _, word = rest.partition(" ")
        row = view.rows[1 - int(finder)] or ""
        ends = [
            [names[f"red {1 - int(finder)} {place}"][0] for place in (start + 1, start + len(word))]
            for start in range(len(row))
            if row.startswith(word, start)
        ]
        assert any((left + right) / 2 == pytest.approx(x) for left, right in ends), name


def texts_can_be_read_by_every_observer(seen: Observation) -> None:
    texts_can_be_read(scene(seen))


def numbers_stand_above_their_cards(seen: Observation, view: PalindromesView) -> None:
    drawn, every = scene(seen), 1 if view.cards <= 25 else 2
    numbers = [(text.words, text.at) for text in drawn.texts() if text.words.isdigit()]
    for name, (x, y) in drawn.named().items():
        kind, *spot = name.split()
        if kind in ("red", "black", "back", "empty") and (int(spot[1]) - 1) % every == 0:
            above = [at for words, at in numbers if words == spot[1] and 0 < y - at[1] < 100]
            assert any(at[0] == pytest.approx(x) for at in above), name


@trials(8)
@given(first=st.permutations(FIRST), second=st.permutations(FIRST), theme=st.sampled_from(list(THEMES)))
def test_what_is_hidden_changes_nothing_that_others_get(
    first: list[str], second: list[str], theme: str
) -> None:
    one, other = (DEALT.play(0, "arrange " + "".join(row)) for row in (first, second))
    for seat in (None, 1):
        assert everything(one, seat, theme) == everything(other, seat, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_finds_and_hands_are_for_their_seat_alone(theme: str) -> None:
    assert everything(FOUND, None, theme) == everything(OPEN, None, theme)
    assert everything(FOUND, 0, theme) == everything(OPEN.play(0, "find R"), 0, theme)
    other_deal = game((None, "deal 9"))
    assert everything(DEALT, None, theme) == everything(other_deal, None, theme)
    assert everything(DEALT, 0, theme) != everything(other_deal, 0, theme)


def everything(match: Match, seat: Seat | None, theme: str) -> tuple[bytes, str, str, str]:
    seen = match.observe(seat)
    return draw(seen, theme), alt(seen), text_board(seen), caption(seen)


def the_text_board_says_everything(seat: Seat | None, seen: Observation, view: PalindromesView) -> None:
    text = text_board(seen)
    for owner, row in enumerate(view.rows):
        signs = row or ("#" if view.laid[owner] else ".") * view.cards
        assert f"\n{SEAT_MARKS[owner].letter} {signs}\n" in text
        if view.hand and owner == seat and not view.laid[owner]:
            assert f"your hand: {view.hand[0]} R, {view.hand[1]} B" in text
        if view.missed is None:
            assert (f"\n{SEAT_MARKS[owner].letter} is done" in text) == view.done[owner]
    for finder in (0, 1):
        for did, names in (("found", view.found[finder]), ("missed", (view.missed or ((), ()))[finder])):
            block = re.search(
                rf"^{SEAT_MARKS[finder].letter} {did} (\d+):\n((?:  .*\n)*)", text + "\n", re.MULTILINE
            )
            listed, told, wrong = (block[2] if block else "").partition(f" of {view.misses} wrong\n")
            lines = listed.splitlines()
            if told:
                assert int(lines.pop()) == len(wrong.split())
                assert wrong.split() == list(view.wrong[finder] or ())
            assert bool(told) == bool(block and did == "found" and view.misses)
            assert " ".join(lines).split() == list(names or ())
    tens, units = text.splitlines()[2:4]
    assert [10 * int(ten) for ten in tens.split()] == list(range(10, view.cards + 1, 10))
    assert units == "  " + "".join(str(place % 10) for place in range(1, view.cards + 1))


def the_alt_text_says_everything(seat: Seat | None, seen: Observation, view: PalindromesView) -> None:
    text = alt(seen)
    for owner, row in enumerate(view.rows):
        whose = rf"the {SEAT_MARKS[owner].word} \({SEAT_MARKS[owner].mark}\)"
        laid = re.search(rf"The row of {whose} is ([RB]+),", text)
        assert (laid[1] if laid else None) == row
        assert bool(re.search(rf"The row of {whose} lies face down", text)) == (
            view.laid[owner] and row is None
        )
        for did, names in (("found", view.found[owner]), ("missed", (view.missed or ((), ()))[owner])):
            said = re.search(rf"{whose} has {did} ([^.]*)\.", text, re.IGNORECASE)
            assert (re.findall("[RB]+", said[1]) if said else []) == list(names or ())
    assert f"There are {view.cards} cards in each row." in text
    assert ("Your hand" in text) == (view.hand is not None and seat is not None and not view.laid[seat])


@trials(60)
@given(cards=st.integers(8, 26), seat=st.sampled_from((0, 1)), data=st.data())
def test_a_row_is_laid_card_by_card(cards: int, seat: Seat, data: st.DataObject) -> None:
    match = game((None, f"deal {data.draw(st.integers(0, cards))}"), cards=cards)
    seen, view = observed(match, PalindromesView, seat)
    assert view.hand is not None
    hand = data.draw(st.permutations("R" * view.hand[0] + "B" * view.hand[1]))
    row = "".join(hand[: data.draw(st.integers(0, len(hand)))])
    draft = with_row(seen, row)
    names = scene(draft).named()
    everywhere = {str(place) for place in range(1, view.cards + 1)}
    for card, colour in COLOURS.items():
        assert ending(names, f"{colour} {seat}") == {
            str(at) for at, here in enumerate(row, 1) if here == card
        }
        left = hand.count(card) - row.count(card)
        assert ending(names, f"held {colour}") == {str(number) for number in range(1, left + 1)}
    assert ending(names, f"empty {seat}") == everywhere - {str(at) for at in range(1, len(row) + 1)}
    assert f"\n{SEAT_MARKS[seat].letter} {row.ljust(view.cards, '.')}\n" in text_board(draft)
    assert (f"Your row so far is {row}," in alt(draft)) == bool(row)
    assert with_row(match.observe(None), row) == match.observe(None)
    boxes = [fonts.box(text) for text in scene(draft).texts()]
    assert not any(overlapping(one, other) for one, other in combinations(boxes, 2))
    rest = "".join(hand[len(row) :])
    proposed = with_row(seen, row, rest)
    if rest:
        assert f"\nin this order:\n  {rest.rjust(view.cards)}\n" in text_board(proposed)
        assert f"The rest in the proposed order: {rest}." in alt(proposed)
    places = scene(proposed).named()
    assert set(places) == set(names)
    place = data.draw(st.integers(1, len(hand)))
    pointed = with_row(seen, row, rest, place)
    glowing, colour = scene(pointed).named(), COLOURS[hand[place - 1]]
    x, y = glowing[f"chosen {place}"]
    under = glowing[f"{colour} {seat} {place}" if place <= len(row) else f"empty {seat} {place}"]
    assert x == pytest.approx(under[0])
    assert (y == pytest.approx(under[1])) == (place <= len(row))
    assert f"You have pointed at card {place} of your row." in alt(pointed)
    for colour in COLOURS.values():
        for number, at in enumerate(
            at for at, card in enumerate(hand, 1) if COLOURS[card] == colour and at > len(row)
        ):
            assert places[f"held {colour} {number + 1}"][0] == pytest.approx(places[f"empty {seat} {at}"][0])


@trials(20)
@given(match=some_match, seat=st.sampled_from((0, 1)), card=st.integers(1, 26))
def test_the_first_card_of_a_stretch_is_marked(match: Match, seat: Seat, card: int) -> None:
    seen, view = observed(match, PalindromesView, seat)
    row = view.rows[1 - seat]
    if row is None or match.over or card > view.cards:
        return
    pointed = with_first(seen, card)
    colour = COLOURS[row[card - 1]]
    names = scene(pointed).named()
    assert names[f"first {card}"] == names[f"{colour} {1 - seat} {card}"]
    assert f"You have pointed at card {card} of the other row." in alt(pointed)
    assert text_board(pointed) == text_board(seen)


def test_captions_tell_no_secret() -> None:
    assert [caption(match.observe(None)) for match in (DEALT, LAID, OPEN, FOUND)] == [
        "the cards were dealt",
        "a row was laid face down",
        "both rows are laid, and everybody can see them",
        "both rows are laid, and everybody can see them",
    ]
    assert caption(FOUND.observe(1)) == "♦♦ was found"
    stopped = FOUND.play(1, "done")
    assert caption(stopped.observe(0)) == caption(stopped.observe(None)) == "the search is done"


def test_captions_say_that_a_name_is_wrong_and_that_the_last_one_ends_the_search() -> None:
    match = Match.start(PALINDROMES, {"cards": 12, "misses": 2}, 2)
    for seat, text in OPEN.log:
        match = match.play(seat, text)
    first = match.play(0, "find RBBR")
    last = first.play(0, "find RBBBR")
    assert caption(first.observe(0)) == "♦♣♣♦ was named, which is wrong"
    assert caption(last.observe(0)) == "♦♣♣♣♦ was named, which is wrong and ends the search"
    assert [caption(seen.observe(1)) for seen in (first, last)] == [
        "both rows are laid, and everybody can see them",
        "the search is done",
    ]


def test_the_poster_counts() -> None:
    over = FOUND.play(0, "done").play(1, "done")
    words = {text.words for text in scene(over.observe(None)).texts()}
    scores = over.scores or (0, 0)
    assert {"4", f"less 2 found: {scores[0]}", "8", f"less 1 found: {scores[1]}"} <= words
    missed = [len(palindromes(row)) for row in (FIRST, SECOND)]
    assert {f"missed {missed[0] - 2}", f"missed {missed[1] - 1}"} <= words


def test_the_longest_row_of_reds_has_a_bow_for_every_find() -> None:
    match = game((None, "deal 26"), (0, "arrange " + 26 * "R"), (1, "arrange " + 26 * "B"), cards=26)
    for count in range(1, 27):
        match = match.play(1, "find " + count * "R")
    names = scene(match.observe(1)).named()
    bows = [names["found 1 " + count * "R"] for count in range(1, 27)]
    assert all(one != other for one, other in pairwise(bows))
    assert len(text_board(match.observe(1))) <= 1900
    assert alt(match.observe(1)).count("R") > sum(range(1, 27))
