"""A hundred thousand texts per game, from random Unicode to legal moves with a letter changed."""

import random
from collections.abc import Callable

import pytest

from rules.core.errors import RuleError
from rules.core.match import LEAVING, Match
from rules.games import GAMES
from tests.rules.hostile import NASTY, check_sentence
from tests.rules.walks import AnyGame, finish, key, texts
from tests.seeds import chance_for

pytestmark = pytest.mark.soak

TEXTS = 100_000
SOUP = "abcdefghijklmnopqrstuvwxyz0123456789 -,.:>#RB→×"
LOOKALIKES = str.maketrans("abc0123456789-", "ａｂｃ０１２３４５６７８９−")

Maker = Callable[[list[str], random.Random], str]
"""Makes a text, given some legal ones."""


def anything(legal: list[str], chance: random.Random) -> str:
    """Any code points at all, surrogates too; most are short."""
    top = chance.choice([0x7F, 0x7FF, 0xFFFF, 0x10FFFF])
    return "".join(chr(chance.randint(0, top)) for _ in range(chance.choice([1, 2, 5, 9, 60, 250])))


def soup(legal: list[str], chance: random.Random) -> str:
    """The parts of moves, in any order."""
    return "".join(chance.choices(SOUP, k=chance.randint(1, 14)))


def number(legal: list[str], chance: random.Random) -> str:
    """Numbers of any size, alone or where a move has one."""
    digits = str(chance.randint(0, 10 ** chance.choice([1, 2, 3, 6, 40, 190])))
    return chance.choice(["", "-", "a", "deal ", "1-", "a1-b"]) + digits


def slip(legal: list[str], chance: random.Random) -> str:
    """A legal text with letters changed, lost, doubled or swapped, or written in another way."""
    letters = list(chance.choice(legal))
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(len(letters) + 1)
        letters[at : at + chance.randint(0, 2)] = chance.choices(SOUP, k=chance.randint(0, 2))
    text = "".join(letters)
    return chance.choice([text, text, text.upper(), text.translate(LOOKALIKES), f" {text} ", text + text])


def joined(legal: list[str], chance: random.Random) -> str:
    """Two legal texts in one."""
    return chance.choice(["-", " ", "", ", ", "->"]).join(chance.choices(legal, k=2))


def nasty(legal: list[str], chance: random.Random) -> str:
    """The known trouble makers, before, after or instead of a legal text."""
    text, good = chance.choice(NASTY), chance.choice(legal)
    return chance.choice([text, text + good, good + text])


MAKERS: tuple[Maker, ...] = (anything, soup, number, slip, slip, slip, joined, nasty)


def positions(game: AnyGame, chance: random.Random) -> list[Match]:
    """Positions of every named size, from the empty board to the end, for the fewest and for the most players."""
    return [
        finish(Match.start(game, options, players), chance, plies)
        for options in game.sizes.values()
        for players in sorted(set(game.seats))
        for plies in (0, 1, 2, 7, 12, 20, 1000)
    ]


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_nothing_but_legal_moves_and_sentences(game: AnyGame) -> None:
    chance = chance_for(game.key)
    subjects = []
    for match in positions(game, chance):
        listed = match.legal()
        known = [text for seat in match.to_move for text in texts(match, seat, chance)]
        subjects.append((match, None if listed is None else frozenset(listed), known))
    pool = [text for _, _, known in subjects for text in known]
    read = refused = 0
    for _ in range(TEXTS):
        match, legal, known = chance.choice(subjects)
        text = chance.choice(MAKERS)(known or pool if chance.random() < 0.9 else pool, chance)
        for seat in (*match.to_move, chance.choice([None, -1, 0, 1, match.setup.players, 10**30])):
            try:
                after = match.play(seat, text)
            except RuleError as refusal:
                check_sentence(str(refusal))
                refused += 1
                continue
            said = after.log[-1].text
            assert said in (*LEAVING, "draw") or (seat in match.to_move and (legal is None or said in legal))
            assert said.isascii()
            assert match.play(seat, said) == after
            read += 1
    assert read > TEXTS / 100
    assert refused > TEXTS / 2
