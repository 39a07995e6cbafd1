"""The search: UCT with proven results and, where a game says so, all-moves-as-first values (RAVE).

Kocsis and Szepesvári 2006 (UCT), Winands, Björnsson and Saito 2008 (proven results), Gelly and Silver 2011 (RAVE).
"""

import random
import time
from dataclasses import dataclass
from math import log, sqrt

from rules.players.position import SearchPosition, Shares


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a game is searched.

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

    `exact` is True if the value is proved.
    """

    code: int
    visits: int
    value: float
    exact: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """All moves that were searched, best first, and the number of nodes (playouts) that were spent."""

    moves: tuple[Searched, ...]
    nodes: int


class _Node:
    """A position in the tree: its mover, and for each move visits, sum of shares, proven share, node after it."""

    __slots__ = (
        "amaf_total",
        "amaf_visits",
        "codes",
        "index",
        "known",
        "mover",
        "next",
        "open",
        "total",
        "visits",
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
        self.known: list[float | None] = [None] * count
        self.next: list[_Node | None] = [None] * count
        self.open = count
        self.index = {code: number for number, code in enumerate(codes)} if tuning.amaf else {}
        self.amaf_visits = [1.0] * count if tuning.amaf else []
        self.amaf_total = [0.5] * count if tuning.amaf else []


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
    spent = 0
    for _ in _budget(nodes, seconds):
        if root.open == 0 or _won(root):
            break
        _iterate(root, position.copy(), seats, chance, tuning)
        spent += 1
    moves = [_searched(root, number) for number in range(len(root.codes))]
    moves.sort(key=_rank, reverse=True)
    return SearchResult(tuple(moves), spent)


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
    return 1.0 in node.known


def _rank(move: Searched) -> tuple[float, float, float]:
    """Proven wins first, then by visits; a move that is proved to be worth less than all comes where its value is."""
    if move.exact:
        return (
            (2.0, 0, 0)
            if move.value == 1
            else (0.0, move.value, 0)
            if move.value == 0
            else (1.0, 0.5, move.value)
        )
    return (1.0, float(move.visits), move.value)


def _searched(node: _Node, number: int) -> Searched:
    known, visits = node.known[number], node.visits[number]
    if known is not None:
        return Searched(node.codes[number], visits, known, exact=True)
    return Searched(node.codes[number], visits, node.total[number] / visits if visits else 0.0, exact=False)


def _iterate(
    root: _Node, position: SearchPosition, seats: int, chance: random.Random, tuning: Tuning
) -> None:
    """Go down the tree to a move that was not tried, play on to the end, and note the result on the way back.

    Results are proved for two seats only: with more, the best of a seat's moves for the others is open.
    """
    path: list[tuple[_Node, int]] = []
    node = root
    trace: tuple[list[int], ...] | None = tuple([] for _ in range(seats)) if tuning.amaf else None
    proven: Shares | None
    while True:
        number = _select(node, tuning)
        path.append((node, number))
        position.play(node.codes[number])
        child = node.next[number]
        if child is None:
            proven = position.solved()
            if proven is None and not position.moves():
                proven = position.shares()
            if proven is None and node.visits[number]:
                node.next[number] = _Node(position, chance, tuning)
            shares = proven if proven is not None else position.playout(chance, trace)
            if seats > 2:
                proven = None
            break
        node = child
    for node, number in reversed(path):
        node.visits[number] += 1
        node.total[number] += shares[node.mover]
        if proven is not None:
            node.known[number] = proven[node.mover]
            node.open -= 1
            proven = _proof(node, number, proven)
        if trace is not None:
            trace[node.mover].append(node.codes[number])
            _note_amaf(node, trace[node.mover], shares[node.mover])


def _proof(node: _Node, number: int, proven: Shares) -> Shares | None:
    """Return the proven shares of a node after one of its moves was proved, or None if it is still open."""
    if proven[node.mover] == 1:
        return proven
    if node.open == 0:
        best = max(known for known in node.known if known is not None)
        return (best, 1 - best) if node.mover == 0 else (1 - best, best)
    return None


def _note_amaf(node: _Node, codes: list[int], share: float) -> None:
    get, visits, total = node.index.get, node.amaf_visits, node.amaf_total
    for code in codes:
        number = get(code)
        if number is not None:
            visits[number] += 1
            total[number] += share


def _select(node: _Node, tuning: Tuning) -> int:
    """Return the number of the move to try: the one with the highest upper bound among those that are open."""
    visits, total, known = node.visits, node.total, node.known
    tried = sum(visits) + 1
    count = len(node.codes)
    if tuning.widening:
        count = min(count, 2 + int(tuning.widening * sqrt(tried)))
    curiosity = tuning.exploration * sqrt(log(tried + 1))
    weight = tuning.amaf
    best, choice = -1.0, -1
    for number in range(count):
        share = known[number]
        if share is not None:
            continue  # a proved move needs no further visit
        times = visits[number]
        if weight:
            beta = sqrt(weight / (3 * times + weight))
            value = beta * node.amaf_total[number] / node.amaf_visits[number] + curiosity / sqrt(times + 1)
            if times:
                value += (1 - beta) * total[number] / times
        elif times:
            value = total[number] / times + curiosity / sqrt(times)
        else:
            return number
        if value > best:
            best, choice = value, number
    if choice >= 0:
        return choice
    # All moves within the width are proved, so the next one beyond it is tried.
    return known.index(None)
