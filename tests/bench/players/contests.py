"""Games between two contestants, each opening played from both seats, over several processes."""

import os
import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.players.choose import choose
from rules.players.levels import Budget
from tests.bench.players.plain_uct import decide
from tests.rules.walks import step

Contestant = Callable[[Match, Seat, int], str]
"""Decides the text of a move for a seat, by a seed."""


def contestant(name: str) -> Contestant:
    """Return who is named.

    `level:3`; the strongest level with `nodes:500` or `seconds:0.5` of CPU time; the frozen `uct:500`; OpenSpiel's MCTS
    with `spiel:500` simulations or `spiel-seconds:0.5`; `random`.
    """
    kind, _, amount = name.partition(":")
    if kind.startswith("spiel"):
        return _spiel(kind, amount)
    if kind == "random":
        return _random
    if kind == "uct":
        return lambda match, seat, seed: _uct(match, int(amount), seed)
    budget = {
        "level": lambda: Budget(level=int(amount)),
        "nodes": lambda: Budget(nodes=int(amount)),
        "seconds": lambda: Budget(seconds=float(amount)),
    }[kind]()
    return lambda match, seat, seed: choose(match, seat, budget, seed).move


def _spiel(kind: str, amount: str) -> Contestant:
    from tests.bench.players import spiel  # OpenSpiel is installed for `make bench-players` only

    if kind == "spiel":
        return lambda match, seat, seed: spiel.decide(match, seed, int(amount))
    return lambda match, seat, seed: spiel.decide_within(match, seed, float(amount))


def _random(match: Match, seat: Seat, seed: int) -> str:
    legal = match.legal()
    assert legal, "A random contestant cannot play secret moves."
    return random.Random(f"{seed} {len(match.log)} {seat}").choice(legal)


def _uct(match: Match, nodes: int, seed: int) -> str:
    chance = random.Random(f"{seed} {len(match.log)}")
    return match.game.format(decide(match.game, match.state, match.setup.players, nodes, chance))


@dataclass(frozen=True, slots=True)
class Contest:
    """Two contestants by name, and what they play: `opening` random plies come first."""

    one: str
    other: str
    game: str
    options: tuple[tuple[str, int], ...]
    opening: int = 0


def play(contest: Contest, seats: tuple[str, str], seed: int) -> tuple[float, float]:
    """Play one game and return the shares of both seats."""
    match = Match.start(find(contest.game), dict(contest.options), 2)
    chance = random.Random(seed // 2)  # both games of a pair have the same opening and the same deal
    players = [contestant(name) for name in seats]
    while not match.over and len(match.log) < contest.opening:
        match = step(match, chance)
    turn = 0
    while not match.over:
        seat = match.to_move[turn % len(match.to_move)]
        turn += 1
        match = step(match, chance) if seat is None else match.play(seat, players[seat](match, seat, seed))
    winners = match.winners or ()
    return (0.5, 0.5) if len(winners) == 2 else (1.0, 0.0) if winners == (0,) else (0.0, 1.0)


def _pair(job: tuple[Contest, int]) -> tuple[float, float]:
    """The share of `one` as first and as second, by the same opening."""
    contest, seed = job
    first = play(contest, (contest.one, contest.other), 2 * seed)[0]
    second = play(contest, (contest.other, contest.one), 2 * seed + 1)[1]
    return first, second


@dataclass(frozen=True, slots=True)
class Outcome:
    """The shares of the first contestant per seat, and the number of games."""

    as_first: float
    as_second: float
    games: int

    @property
    def share(self) -> float:
        return (self.as_first + self.as_second) / 2


def hold(
    contests: Mapping[str, Contest], games: int, processes: int | None = None
) -> Iterator[tuple[str, Outcome]]:
    """Hold contests of so many games each, and yield each outcome as soon as it is known."""
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        for name, contest in contests.items():
            pairs = list(pool.map(_pair, [(contest, seed) for seed in range(games // 2)]))
            first, second = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
            yield name, Outcome(first, second, 2 * len(pairs))
