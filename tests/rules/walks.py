"""Matches for the laws: any game, any options, any number of seats, legal moves, seats that leave."""

import random
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rules.core.game import Game, Option, Seat
from rules.core.match import LEAVING, Match
from rules.games import GAMES
from tests.rules import sealed
from tests.seeds import sample

AnyGame = Game[Any, Any]
View = TypeVar("View")
Sampler = Callable[[Any, Seat | None, random.Random], str]

SUBJECTS: tuple[AnyGame, ...] = (*GAMES, sealed.Sealed())


def _samplers() -> dict[str, Sampler]:
    found: dict[str, Sampler] = {"sealed": sealed.sample}
    for game in GAMES:
        name = f"tests.rules.plain.{game.key}"
        if find_spec(name) is not None and hasattr(plain := import_module(name), "sample"):
            found[game.key] = plain.sample
    return found


SAMPLERS = _samplers()
"""For each game in which some moves are secret or chance: the text of a legal one in a given state. A game has it in
its `tests/rules/plain/<key>.py`, as `sample`."""


def key(game: AnyGame) -> str:
    return game.key


def trials(number: int) -> settings:
    """Return a share of so many examples, however long one of them takes on a busy machine."""
    return settings(max_examples=sample(number), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def played(game: AnyGame, *moves: str, players: int = 2, **options: int) -> Match:
    """Return a match after these moves, each by the seat on turn; `2 resign` is by seat 2, also out of turn."""
    match = Match.start(game, options, players)
    for move in moves:
        leaver, _, word = move.partition(" ")
        match = (
            match.play(int(leaver), word) if leaver.isdigit() and word else match.play(match.to_move[0], move)
        )
    return match


def view_of(kind: type[View], match: Match, seat: Seat | None = None) -> View:
    """Return what a seat sees of the board, by default a spectator; the view must be of this kind."""
    view = match.observe(seat).board
    assert isinstance(view, kind)
    return view


def texts(match: Match, seat: Seat | None, chance: random.Random) -> tuple[str, ...]:
    """Canonical texts of legal moves of `seat`, which is on turn: all, or a few samples where secret."""
    legal = match.legal()
    if legal is not None:
        return legal
    sample = SAMPLERS.get(match.game.key)
    assert sample is not None, f"tests/rules/plain/{match.game.key}.py needs a sample() of secret moves."
    return tuple(dict.fromkeys(sample(match.state, seat, chance) for _ in range(4)))


def step(match: Match, chance: random.Random) -> Match:
    """Return the match after one legal move of a seat on turn, both picked by `chance`."""
    seat = chance.choice(match.to_move)
    return match.play(seat, chance.choice(texts(match, seat, chance)))


def finish(match: Match, chance: random.Random, bound: int) -> Match:
    """Return the match played on at random until it is over, or `bound` plies have been logged."""
    while not match.over and len(match.log) < bound:
        match = step(match, chance)
    return match


def follow(match: Match, picks: Iterable[int]) -> Match:
    """Return the match after one ply for each number; now and then somebody leaves while two others play on."""
    for pick in picks:
        if match.over:
            break
        chance = random.Random(pick)
        if len(match.playing) > 2 and pick % 17 == 0:
            match = match.play(chance.choice(match.playing), chance.choice(LEAVING))
        else:
            match = step(match, chance)
    return match


def _values(option: Option) -> st.SearchStrategy[int]:
    # The largest boards take long with some games; one size at the very top stands for them.
    return st.integers(option.low, option.default) | st.just(option.high)


@st.composite
def starts(draw: st.DrawFn, game: AnyGame) -> Match:
    """Return a new match with options and players anywhere in their range."""
    options = {option.key: draw(_values(option), label=option.key) for option in game.options}
    return Match.start(game, options, draw(st.integers(*game.seats), label="players"))


@st.composite
def matches(draw: st.DrawFn, game: AnyGame, longest: int = 40) -> Match:
    """Return a match after some plies: mostly under way, sometimes over."""
    start = draw(starts(game))
    return follow(start, draw(st.lists(st.integers(0, 9999), max_size=longest), label="picks"))
