"""Games between two contestants, each opening played from every seat, over several processes."""

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from statistics import stdev

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
    with `spiel:500` simulations or `spiel-seconds:0.5`; `random`; `greedy`, who takes the largest immediate gain.
    """
    kind, _, amount = name.partition(":")
    if kind.startswith("spiel"):
        return _spiel(kind, amount)
    if kind == "random":
        return _random
    if kind == "greedy":
        return _greedy
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


def _greedy(match: Match, seat: Seat, seed: int) -> str:
    """Return a move after which the seat's lead over the best of the others is largest, by chance among equal ones."""
    legal = match.legal()
    assert legal, "A greedy contestant cannot play secret moves."

    def lead(move: str) -> int:
        scores = match.play(seat, move).scores
        assert scores is not None, "A greedy contestant needs points."
        return scores[seat] - max(points for other, points in enumerate(scores) if other != seat)

    leads = {move: lead(move) for move in legal}
    best = [move for move, points in leads.items() if points == max(leads.values())]
    return random.Random(f"{seed} {len(match.log)} {seat}").choice(best)


def _uct(match: Match, nodes: int, seed: int) -> str:
    chance = random.Random(f"{seed} {len(match.log)}")
    return match.game.format(decide(match.game, match.state, match.setup.players, nodes, chance))


@dataclass(frozen=True, slots=True)
class Contest:
    """Two contestants by name, and what they play: `opening` random plies come first.

    With more than two `players`, `one` has a single seat and `other` all others.
    """

    one: str
    other: str
    game: str
    options: tuple[tuple[str, int], ...]
    opening: int = 0
    players: int = 2


def play(contest: Contest, own: Seat, number: int) -> float:
    """Play one game with `one` on a seat and return its share of the win.

    Games with the same number have the same opening and the same deal.
    """
    match = Match.start(find(contest.game), dict(contest.options), contest.players)
    chance = random.Random(number)
    one, other = contestant(contest.one), contestant(contest.other)
    while not match.over and len(match.log) < contest.opening:
        match = step(match, chance)
    turn = 0
    while not match.over:
        seat = match.to_move[turn % len(match.to_move)]
        turn += 1
        if seat is None:
            match = step(match, chance)
        else:
            decided = one if seat == own else other
            match = match.play(seat, decided(match, seat, contest.players * number + own))
    winners = match.winners or ()
    return 1 / len(winners) if own in winners else 0.0


def _round(job: tuple[Contest, int]) -> list[float]:
    """Return the shares of `one` on each seat, by the same opening."""
    contest, number = job
    return [play(contest, seat, number) for seat in range(contest.players)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The shares of the first contestant by seat, the standard error of their mean, and the number of games."""

    seats: tuple[float, ...]
    error: float
    games: int

    @property
    def share(self) -> float:
        return sum(self.seats) / len(self.seats)

    @property
    def by_seat(self) -> str:
        """The shares by seat as text, the first seat first."""
        return ", ".join(f"{share:.1%}" for share in self.seats)


def hold(
    contests: Mapping[str, Contest], games: int, processes: int | None = None
) -> Iterator[tuple[str, Outcome]]:
    """Hold contests of so many games each, and yield each outcome as soon as it is known."""
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        for name, contest in contests.items():
            number = max(1, games // contest.players)
            rounds = list(pool.map(_round, [(contest, seed) for seed in range(number)]))
            seats = tuple(sum(side) / number for side in zip(*rounds, strict=True))
            yield name, Outcome(seats, standard_error(rounds), number * contest.players)


def standard_error(rounds: Sequence[Sequence[float]]) -> float:
    """Return the standard error of the mean share of rounds, each of which plays one opening from every seat."""
    means = [sum(shares) / len(shares) for shares in rounds]
    return stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.5
