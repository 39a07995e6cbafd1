"""`python -m rules lesson GAME [SIZE]`: what a new lesson needs, won positions and the lengths of games."""

import random
from collections.abc import Hashable, Iterator, Mapping
from statistics import median

from rules.core.errors import BadSetup
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.sizes import read_size
from rules.games import find
from rules.players.choose import choose
from rules.players.levels import Budget

GAMES, LEVEL = 6, 2
"""Games for the typical length of a size, and the level of the computer player that plays them against itself."""
WALKS = 200
"""Random games in which won positions are looked for."""
POSITIONS, ALL_POSITIONS = 2_000, 30_000
"""Positions that are searched at most, for the result of one position and altogether."""
SHOWN = 10
"""Won positions that are printed."""


class _TooLarge(Exception):
    """The search has reached its limit."""


def report(*words: str) -> Iterator[str]:
    """Yield the lines of the report. Raises BadSetup, also for a game with secret moves or chance."""
    if not 1 <= len(words) <= 2:
        raise BadSetup("Say: python -m rules lesson GAME [SIZE], for example: python -m rules lesson dots 3")
    game = find(words[0])
    smallest, *_ = game.sizes.values()
    options = read_size(game, words[1]) if len(words) == 2 else game.check(smallest, game.seats[0])
    if Match.start(game, options, 2).legal() is None:
        raise BadSetup(f"{game.sheet.title} has secret moves or chance: choose its positions by hand.")
    found = sorted(_won(game.key, options), key=lambda each: (len(each[1]), -each[3]))[:SHOWN]
    for moves, winning, others, plies in found:
        yield (
            f"Scene({moves!r}, {options}) is won by {', '.join(winning)} in {plies} moves,"
            f" not by {', '.join(others)}"
        )
    if not found:
        yield f"No won position was found on {options}. Name another size, a smaller one if games are long."
    yield f"lengths={ {name: _length(game.key, size) for name, size in game.sizes.items()} }"


def _length(key: str, options: Mapping[str, int]) -> int:
    return round(median(_plies(key, options, seed) for seed in range(GAMES)))


def _plies(key: str, options: Mapping[str, int], seed: int) -> int:
    """Return the number of moves of a game between two computer players."""
    match = Match.start(find(key), options, 2)
    while not match.over:
        seat = match.to_move[0]
        match = match.play(seat, choose(match, seat, Budget(level=LEVEL), seed).move)
    return len(match.log)


def _walk(key: str, options: Mapping[str, int], seed: int) -> list[Match]:
    """Return the positions of a random game."""
    chance = random.Random(seed)  # noqa: S311 - the same games every time
    walk = [Match.start(find(key), options, 2)]
    while not walk[-1].over:
        walk.append(walk[-1].play(walk[-1].to_move[0], chance.choice(walk[-1].legal() or ())))
    return walk


def _won(key: str, options: Mapping[str, int]) -> Iterator[tuple[str, list[str], list[str], int]]:
    """Yield positions of random games that only some moves win.

    Each has the moves that lead there, the winning moves, the others, and the number of moves until the game is over.
    """
    seen: set[Hashable] = set()
    known: dict[Hashable, tuple[float, int]] = {}
    for seed in range(WALKS):
        walk = _walk(key, options, seed)
        for match in walk[-3:0:-1]:
            left = [POSITIONS]
            try:
                values = {text: _after(match, text, known, left) for text in match.legal() or ()}
            except (_TooLarge, RecursionError):
                break  # earlier positions are larger still
            winning = [text for text, (share, _) in values.items() if share == 1]
            others = [text for text in values if text not in winning]
            if winning and others and match.position_key not in seen:
                seen.add(match.position_key)
                plies = min(values[text][1] for text in winning)
                yield ", ".join(text for _, text in match.log), winning, others, plies
        if len(known) > ALL_POSITIONS or len(seen) > 4 * SHOWN:
            return


def _after(
    match: Match, text: str, known: dict[Hashable, tuple[float, int]], left: list[int]
) -> tuple[float, int]:
    """Return the share of the win that the player on turn gets by a move under best play, and the moves until the end.

    Raises _TooLarge."""
    seat = match.to_move[0]
    assert seat is not None
    return _result(match.play(seat, text), seat, known, left)


def _result(
    match: Match, seat: Seat, known: dict[Hashable, tuple[float, int]], left: list[int]
) -> tuple[float, int]:
    if match.winners is not None:
        return (1 / len(match.winners) if seat in match.winners else 0.0), 1
    place = match.game.position(match.state), seat
    if place not in known:
        left[0] -= 1
        if left[0] < 0:
            raise _TooLarge
        results = [
            _result(match.play(match.to_move[0], text), seat, known, left) for text in match.legal() or ()
        ]
        share = (max if match.to_move[0] == seat else min)(share for share, _ in results)
        known[place] = share, 1 + max(plies for value, plies in results if value == share)
    return known[place]
