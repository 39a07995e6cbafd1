"""A game reads any text as a legal move or refuses it in one sentence."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import BadSetup, RuleError, Unreadable
from rules.core.match import LEAVING, Match
from rules.core.notation import LONGEST
from rules.games import find
from tests.rules.hostile import NASTY, check_sentence
from tests.rules.walks import SUBJECTS, AnyGame, finish, key, matches, texts, trials
from tests.seeds import CHARACTERS

numbers = st.integers() | st.sampled_from([-1, 0, 10**9, -(10**9), 10**5000])


def say(match: Match, text: str) -> None:
    """Let all seats, and some that do not exist, play this text; the result is a legal move or a refusal."""
    legal = match.legal()
    for seat in (None, -1, *range(match.setup.players + 1), 10**5000):
        try:
            after = match.play(seat, text)
        except RuleError as refusal:
            check_sentence(str(refusal))
            continue
        _, said = after.log[-1]
        assert said in (*LEAVING, "draw") or (seat in match.to_move and (legal is None or said in legal))
        assert said.isascii()


@contextmanager
def naming(text: str) -> Iterator[None]:
    """Add the text to whatever is raised, so that a failure tells which of many texts it was."""
    try:
        yield
    except BaseException as wrong:
        wrong.add_note(f"The text was {text[:60]!a}.")
        raise


def positions(game: AnyGame) -> list[Match]:
    start = Match.start(game, game.sizes["standard"], game.seats[1])
    return [finish(start, random.Random(plies), plies) for plies in (0, 1, 5)]


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
def test_nasty_texts(game: AnyGame) -> None:
    for match in positions(game):
        for text in NASTY:
            with naming(text):
                say(match, text)


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
def test_a_text_longer_than_any_move_is_not_read(game: AnyGame) -> None:
    for match in positions(game):
        for seat in match.to_move:
            text = texts(match, seat, random.Random(0))[0]
            with pytest.raises(Unreadable, match="longer"):
                match.play(seat, text + " " * LONGEST)


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(60)
@given(
    data=st.data(),
    text=st.text(CHARACTERS) | st.text(st.characters(categories=["Nd", "No", "Nl", "Lu", "Cf", "Zs"])),
)
def test_any_text_at_all(game: AnyGame, data: st.DataObject, text: str) -> None:
    say(data.draw(matches(game, longest=8)), text)


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(60)
@given(data=st.data(), stray=st.text(CHARACTERS), value=numbers, players=numbers)
def test_any_set_up_at_all(game: AnyGame, data: st.DataObject, stray: str, value: int, players: int) -> None:
    option = data.draw(st.sampled_from([*(option.key for option in game.options), stray]))
    for options, seats in (({option: value}, game.seats[0]), ({}, players)):
        try:
            match = Match.start(game, options, seats)
        except BadSetup as refusal:
            check_sentence(str(refusal))
        else:
            assert options.items() <= dict(match.setup.options).items()
            assert game.seats[0] <= seats <= game.seats[1]


def test_names_of_no_game() -> None:
    for text in NASTY:
        with naming(text):
            with pytest.raises(BadSetup) as refused:
                find(text)
            check_sentence(str(refused.value))
