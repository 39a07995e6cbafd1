"""The search: UCT with proven results and, where a game says so, all-moves-as-first values (RAVE).

Kocsis and Szepesvári 2006 (UCT), Winands, Björnsson and Saito 2008 (proven results), Gelly and Silver 2011 (RAVE),
Luckhardt and Irani 1986 (max^n, for more than two seats).
"""

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass
from math import log, sqrt

from rules.players.position import SearchPosition, Shares, expected


@dataclass(frozen=True, slots=True)
class Tuning:
    """The settings of a search.

    `exploration` weighs the search's curiosity against what it has found. `amaf` is the number of visits at which
    all-moves-as-first values count as much as a move's own; 0 leaves them out. `widening` limits a node to its first
    `widening * sqrt(visits)` moves, for positions that name their better moves first; 0 allows all of them.
    """

    exploration: float = 0.7
    amaf: float = 0
    widening: float = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """One move after a search: its visits and its value, the mover's expected share of the win.

    `value` is None if the move was not tried, and `exact` is True if the value is proved. With more than two seats,
    `shares` holds every seat's expected share, and only a win is proved: any other result depends on which of several
    equally good moves the other seats choose.
    """

    code: int
    visits: int
    value: float | None
    exact: bool
    shares: Shares = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """All moves that were searched, best first, and the number of nodes (playouts) that were spent."""

    moves: tuple[Searched, ...]
    nodes: int


_UNTRIED, _LOST = 9.0, -9.0


class _Node:
    """A position in the tree: its mover, and for each move visits, sum of shares, proven shares, node after it.

    What a selection needs is kept ready for each move: its `worth` so far (`_UNTRIED` and `_LOST` stand outside all
    others), the `doubt` by which curiosity counts, and its `trust` in all-moves-as-first values. A move that is proved
    to keep a share goes on being selected without doubt: else a position would seem to be worth what the moves beside a
    certain draw are worth.
    """

    __slots__ = (
        "amaf_total",
        "amaf_visits",
        "codes",
        "doubt",
        "index",
        "mover",
        "next",
        "open",
        "proven",
        "total",
        "trust",
        "visits",
        "worth",
    )

    def __init__(self, position: SearchPosition, chance: random.Random, tuning: Tuning) -> None:
        codes = list(position.moves())
        if not tuning.widening:
            chance.shuffle(codes)
        count = len(codes)
        self.mover = position.mover
        self.codes = codes
        self.visits = [0] * count
        self.total = [0.0] * count
        self.proven: list[Shares | None] = [None] * count
        self.next: list[_Node | None] = [None] * count
        self.open = count
        self.index = {code: number for number, code in enumerate(codes)} if tuning.amaf else {}
        self.worth = [0.5 if tuning.amaf else _UNTRIED] * count
        self.doubt = [1.0] * count
        self.amaf_visits = [1.0] * count if tuning.amaf else []
        self.amaf_total = [0.5] * count if tuning.amaf else []
        self.trust = [1.0] * count if tuning.amaf else []

    def note(self, number: int, share: float, weight: float) -> None:
        """Note one more visit of a move that is not proved. `weight` is the tuning's `amaf`."""
        self.visits[number] = times = self.visits[number] + 1
        self.total[number] = total = self.total[number] + share
        proven = self.proven[number]
        if proven is not None:
            self.worth[number], self.doubt[number] = proven[self.mover] or _LOST, 0.0
        elif weight:
            self.doubt[number] = 1 / sqrt(times + 1)
            self.trust[number] = sqrt(weight / (3 * times + weight))
        else:
            self.worth[number], self.doubt[number] = total / times, 1 / sqrt(times)

    def note_amaf(self, codes: list[int], share: float) -> None:
        """Note that the mover's moves in a playout were worth this share."""
        get = self.index.get
        for code in codes:
            number = get(code)
            if number is None:
                continue
            self.amaf_visits[number] = seen = self.amaf_visits[number] + 1
            self.amaf_total[number] = total = self.amaf_total[number] + share
            if self.proven[number] is not None:
                continue
            trust, times = self.trust[number], self.visits[number]
            self.worth[number] = trust * total / seen + (
                (1 - trust) * self.total[number] / times if times else 0.0
            )


def search(
    position: SearchPosition,
    seats: int,
    chance: random.Random,
    tuning: Tuning,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
) -> SearchResult:
    """Search a position that is not over, until a budget is spent or the result is proved.

    `nodes` counts playouts, `seconds` is CPU time of this process; give one of them.
    """
    root = _Node(position, chance, tuning)
    totals = [[0.0] * seats for _ in root.codes] if seats > 2 else []
    spent, unproved = 0, root.open
    for _ in _budget(nodes, seconds):
        number, shares = _iterate(root, position.copy(), seats, chance, tuning)
        spent += 1
        if totals:
            totals[number] = [total + share for total, share in zip(totals[number], shares, strict=True)]
        if root.open < unproved:
            unproved = root.open
            if not unproved or _won(root):
                break
    order = sorted(range(len(root.codes)), key=lambda number: _rank(root, number), reverse=True)
    return SearchResult(tuple([_searched(root, number, totals) for number in order]), spent)


def _budget(nodes: int | None, seconds: float | None) -> "_Clock | range":
    return range(nodes) if nodes is not None else _Clock(seconds or 0.0)


class _Clock:
    """Yields while CPU time is left; looks at the clock every few playouts only, since that costs time, too."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds
        self._count = 0

    def __iter__(self) -> "_Clock":
        return self

    def __next__(self) -> int:
        self._count += 1
        if self._count % 8 == 0 and time.process_time() >= self._end:
            raise StopIteration
        return self._count


def _won(node: _Node) -> bool:
    return any(proven is not None and proven[node.mover] == 1 for proven in node.proven)


def _rank(node: _Node, number: int) -> tuple[float, float, float]:
    """Proven wins first, then by visits, and proven losses last, of which the one that took longest comes first."""
    proven, visits = node.proven[number], node.visits[number]
    share = None if proven is None else proven[node.mover]
    if share is not None and share in (0.0, 1.0):
        return (2 * share, float(visits), 0.0)
    return (1.0, float(visits), share or (node.total[number] / visits if visits else 0.0))


def _searched(node: _Node, number: int, totals: list[list[float]]) -> Searched:
    code, visits, proven = node.codes[number], node.visits[number], node.proven[number]
    if proven is not None:
        share = proven[node.mover]
        return Searched(code, visits, share, not totals or share == 1, proven if totals else ())
    shares = tuple(total / visits for total in totals[number]) if totals and visits else ()
    value = node.total[number] / visits if visits else None
    return Searched(code, visits, value, exact=False, shares=shares)


def _iterate(
    root: _Node, position: SearchPosition, seats: int, chance: random.Random, tuning: Tuning
) -> tuple[int, Shares]:
    """Go down the tree to a move that was not tried, play on to the end, and note the result on the way back.

    Returns the number of the root's move and the shares that it led to.
    """
    path: list[tuple[_Node, int]] = []
    node = root
    trace: tuple[list[int], ...] | None = tuple([] for _ in range(seats)) if tuning.amaf else None
    proven: Shares | None
    while True:
        number = _select(node, tuning)
        path.append((node, number))
        known = node.proven[number]
        if known is not None:
            proven, shares = None, known
            break
        position.play(node.codes[number])
        child = node.next[number]
        if child is None:
            proven = position.solved()
            if proven is None and position.over():
                proven = position.shares()
            if proven is None and node.visits[number]:
                node.next[number] = _Node(position, chance, tuning)
            shares = proven if proven is not None else position.playout(chance, trace)
            break
        node = child
    for node, number in reversed(path):
        share = shares[node.mover]
        if proven is not None:
            node.proven[number] = proven
            node.open -= 1
            proven = _proof(node, proven)
        node.note(number, share, tuning.amaf)
        if trace is not None:
            trace[node.mover].append(node.codes[number])
            node.note_amaf(trace[node.mover], share)
    return path[0][1], shares


def _proof(node: _Node, proven: Shares) -> Shares | None:
    """Return the proven shares of a node after one of its moves was proved, or None if it is still open."""
    if proven[node.mover] == 1:
        return proven
    if node.open:
        return None
    return expected([shares for shares in node.proven if shares is not None], node.mover)


def _select(node: _Node, tuning: Tuning) -> int:
    """Return the number of the move to try: the one with the highest upper bound."""
    tried = sum(node.visits) + 1
    curiosity = tuning.exploration * sqrt(log(tried + 1))
    worth: Iterable[float] = node.worth
    if tuning.widening:
        worth = node.worth[: 2 + int(tuning.widening * sqrt(tried))]
    bounds = [value + curiosity * doubt for value, doubt in zip(worth, node.doubt, strict=False)]
    best = max(bounds)
    # All moves within the width may be lost; then the next one beyond it is tried.
    return node.proven.index(None) if best == _LOST else bounds.index(best)
