"""Alaric's values by its rules alone, for the solvers to be compared with."""

from rules.games.alaric import Alaric, AlaricState, Position
from tests.rules.plain.alaric_solved import Seen


def seen(now: Position) -> Seen:
    """A position as the solver writes it."""
    own, enemy = (
        sum(1 << cell for cell, owner in enumerate(now.stones) if owner == seat)
        for seat in (now.mover, 1 - now.mover)
    )
    return own, enemy, sum(1 << cell for cell in now.forbidden)


def margins_by_rules(size: int) -> dict[Position, int]:
    """Every position that the rules reach, with its margin by looking ahead until nothing changes any more."""
    game = Alaric()
    after: dict[Position, list[Position]] = {}
    fresh = [game.start({"size": size}, 2).now]
    while fresh:
        now = fresh.pop()
        if now not in after:
            moves = game.legal(AlaricState.of(now))
            after[now] = [game.apply(AlaricState.of(now), now.mover, cell).now for cell in moves]
            fresh.extend(after[now])
    ends = {
        now: now.stones.count(now.mover) - now.stones.count(1 - now.mover) for now in after if not after[now]
    }
    values: dict[Position, int] = {}
    ahead = dict.fromkeys(after, 0) | ends
    while values != ahead:
        values = ahead
        ahead = {
            now: max(-values[child] for child in after[now]) if after[now] else ends[now] for now in after
        }
    return values
