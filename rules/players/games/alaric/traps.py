"""Where no move can change the value: the move after which the opponent errs most easily."""

from collections.abc import Callable, Mapping

from rules.players.games.alaric.classes import Seen, followers
from rules.players.games.alaric.retrograde import Decided

NEAR, FAR = 0.02, 0.5
"""The weight of a losing reply that loses within two plies, and of one that loses much later, against 1 for others."""
STEP = 0.04
"""The weight that each further ply adds."""


def weight(plies: int) -> float:
    """Return how likely a losing reply is, by the plies until it has lost: players see the near ends."""
    return min(FAR, NEAR + STEP * max(0, plies - 2))


class Traps:
    """Estimates of what an opponent who errs now and then gives away, over a table of decided positions."""

    def __init__(
        self, size: int, classify: Callable[[int, int, int], int], decided: Mapping[int, Decided]
    ) -> None:
        self._size, self._classify, self._decided = size, classify, decided
        self._known: dict[tuple[int, int], float] = {}
        self.looked = 0

    def hope(self, after: Seen, depth: int) -> float:
        """Return the share that is expected where the opponent is to move, who errs, and looks so many moves ahead."""
        return self._hope(self._classify(*after), after, depth)

    def _hope(self, key: int, after: Seen, depth: int) -> float:
        value = self._decided.get(key)
        if value is not None and value[0] < 0:
            return 1.0
        known = self._known.get((key, depth))
        if known is not None:
            return known
        total = share = 0.0
        for reply in followers(after, self._size):
            self.looked += 1
            key_after = self._classify(*reply)
            lost = self._decided.get(key_after)
            if lost is None or lost[0] < 0:
                # the reply keeps the draw, or wins
                total += 1
                if lost is None:
                    share += self._best(reply, depth - 1) if depth > 1 else 0.5
            else:
                chance = weight(lost[1])
                total += chance
                share += chance
        found = share / total if total else 0.5 if value is None else 0.0
        self._known[key, depth] = found
        return found

    def _best(self, here: Seen, depth: int) -> float:
        """The most that one's own move keeps, where one is to move in a drawn position."""
        best = 0.0
        for after in followers(here, self._size):
            key = self._classify(*after)
            value = self._decided.get(key)
            if value is None:
                best = max(best, self._hope(key, after, depth))
        return best or 0.5
