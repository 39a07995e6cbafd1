"""Ends of walks, solved with tables of what was looked at.

For two players it is solved by the points still to come, by alpha-beta. The points that were scored before do not
change what is still to come, so an entry serves whatever the score is, and the player who can reach the better margin
of points to come also does best by win, draw and loss. For more players all results are looked at (max^n).
"""

from functools import cache

from rules.core.game import Seat
from rules.players.games.cocomposite.openings import NUMBERS, SIZE, openings
from rules.players.games.cocomposite.position import CocompositePosition, board, shares_of
from rules.players.player import BudgetSpent, Solved
from rules.players.position import Shares, expected

_ALL = 1000
"""More than the points of any game."""
_ROOM = 22
"""The most squares that a walk may still reach for an attempt to solve it; more need more than any budget."""
_START = 4
"""The largest board that is solved from its start in play, within half a second."""


_ROOM_OF_SEVERAL, _TRIAL = 16, 16
"""The same for more than two players, where the search cannot leave out as much. With more squares, this part of the
positions is looked at, since a walk can be near its end wherever it is."""
_DEPTH = 300
"""The most numbers to which a walk is followed. On large boards walks are longer than Python can nest calls."""


@cache
def alive(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each turn a row with the effective content of a square.

    0 is nothing; 1 is what no number can join any more; other values stand for the prime factors that a later number
    can share. Squares with the same value are the same for the rest of the game.
    """
    tables = board(size)
    turns = 2 * size * size
    most = 2 * turns - 1
    names: dict[frozenset[int], int] = {frozenset(): 1}
    factors = [_primes(2 * turn + 1) for turn in range(turns)]
    last = {
        prime: max(range(prime, most + 1, 2 * prime)) // 2 for row in factors for prime in row
    }  # the turn of the last odd multiple
    rows = []
    for turn in range(turns + 1):
        row = [1] * (tables.full + 1)
        row[0] = 0
        for held in range(turn):
            live = frozenset(prime for prime in factors[held] if last[prime] >= turn)
            row[held + 1] = names.setdefault(live, len(names) + 1)
        rows.append(tuple(row))
    return tuple(rows)


def _primes(number: int) -> frozenset[int]:
    found, prime = set(), 3
    while prime * prime <= number:
        if number % prime == 0:
            found.add(prime)
            number //= prime
        else:
            prime += 2
    return frozenset(found | {number} if number > 1 else found)


class Endings:
    """A solver of one position and its successors. `looked` counts positions; `limit` bounds them."""

    def __init__(self, position: CocompositePosition, limit: int | None) -> None:
        tables = position.board
        self.near, self.takes, self.full = tables.near, tables.takes, tables.full
        self.alive = alive(tables.size)
        self.held = position.held[:]
        self.limit = limit
        self.looked = 0
        self.table: dict[tuple[int, int, tuple[int, ...]], tuple[int, int]] = {}

    def margin(self, here: int, turn: int, low: int, high: int) -> int:
        """Return the points that the mover wins by from here on: exact between `low` and `high`, else a bound.

        Raises BudgetSpent.
        """
        held, near = self.held, self.near
        takes = self.takes[turn]
        codes = [square for square in near[here] if takes[held[square]]]
        if not codes:
            return 0
        self.looked += 1
        if self.limit is not None and self.looked > self.limit:
            raise BudgetSpent
        effect = self.alive[turn]
        key = (here, turn, tuple([effect[number] for number in held]))
        least, most = self.table.get(key, (-_ALL, _ALL))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        best, bar = -_ALL, low
        for gain, code in self._ordered(codes, turn):
            before = held[code]
            held[code] = self.full if gain else turn + 1
            try:
                value = gain - self.margin(code, turn + 1, gain - high, gain - bar)
            finally:
                held[code] = before
            if value > best:
                best = value
                bar = max(bar, value)
                if value >= high:
                    break
        self.table[key] = (
            (least, min(most, best))
            if best <= low
            else (max(least, best), most)
            if best >= high
            else (best, best)
        )
        return best

    def _ordered(self, codes: list[int], turn: int) -> list[tuple[int, int]]:
        """Return each move with its gain: scoring moves first, then those that leave the fewest replies."""
        held, near, takes = self.held, self.near, self.takes[turn + 1]
        order = []
        for code in codes:
            before = held[code]
            held[code] = self.full if before else turn + 1
            replies = sum([takes[held[square]] for square in near[code]])
            held[code] = before
            order.append((replies - 8 if before else replies, code, 1 if before else 0))
        order.sort()
        return [(gain, code) for _, code, gain in order]


def solve_ending(position: CocompositePosition, limit: int) -> Solved | None:
    """Solve a position of two players, if that takes no more than `limit` positions."""
    if position.here < 0 or _room(position) > _ROOM:
        return None
    return _solved(position, Endings(position, limit))


class SharedEndings:
    """A solver for more than two seats. `looked` counts positions up to `limit`."""

    def __init__(self, position: CocompositePosition, limit: int) -> None:
        tables = position.board
        self.near, self.takes, self.full = tables.near, tables.takes, tables.full
        self.alive = alive(tables.size)
        self.held, self.points, self.following = position.held[:], position.points[:], position.following
        self.playing = tuple(seat for seat, after in enumerate(position.following) if after >= 0)
        self.limit = limit
        self.last = position.turn + _DEPTH
        self.looked = 0
        self.table: dict[tuple[int, int, tuple[int, ...], tuple[int, ...]], Shares] = {}

    def shares(self, here: int, turn: int, mover: Seat) -> Shares:
        """Return every seat's share from here on, where each seat plays for its own. Raises BudgetSpent."""
        held, takes, points = self.held, self.takes[turn], self.points
        codes = [square for square in self.near[here] if takes[held[square]]]
        if not codes:
            return shares_of(points, self.following)
        self.looked += 1
        if self.looked > self.limit or turn > self.last:
            raise BudgetSpent
        effect = self.alive[turn]
        low = min([points[seat] for seat in self.playing])
        ahead = tuple([points[seat] - low for seat in self.playing])
        key = (here, turn, ahead, tuple([effect[number] for number in held]))
        known = self.table.get(key)
        if known is not None:
            return known
        found = []
        for code in codes:
            found.append(self.after(code, turn, mover))
            if found[-1][mover] == 1:
                break
        self.table[key] = best = expected(found, mover)
        return best

    def after(self, code: int, turn: int, mover: Seat) -> Shares:
        """Return the same after the mover writes the number of a turn. Raises BudgetSpent."""
        held, before = self.held, self.held[code]
        gain = 1 if before else 0
        held[code] = self.full if before else turn + 1
        self.points[mover] += gain
        try:
            return self.shares(code, turn + 1, self.following[mover])
        finally:
            held[code] = before
            self.points[mover] -= gain


def solve_for_several(position: CocompositePosition, limit: int) -> Solved | None:
    """Solve a position of more than two seats; None if that takes more positions, or if the mover cannot win."""
    if position.here < 0:
        return None
    if _room(position) > _ROOM_OF_SEVERAL:
        limit //= _TRIAL
    endings, mover = SharedEndings(position, limit), position.mover
    try:
        found = {code: endings.after(code, position.turn, mover) for code in position.moves()}
    except BudgetSpent:
        return None
    shares = expected(found.values(), mover)
    value = shares[mover]
    best = tuple([code for code, after in found.items() if after[mover] == value])
    # Who has lost can hope for errors only, which the search finds.
    return Solved(value, best, endings.looked, shares=shares) if value else None


def solve_small(position: CocompositePosition) -> Solved | None:
    """Solve a position of two players on a board of size 4 or 5; None on a larger one."""
    size = position.board.size
    if size <= _START:
        return _solve_first(size) if position.here < 0 else _solved(position, Endings(position, None))
    if size > SIZE:
        return None
    # After the openings this takes 0.3 s on average, and 0.7 s at most.
    return (
        openings().solve(position) if position.turn < NUMBERS else _solved(position, Endings(position, None))
    )


def result(position: CocompositePosition) -> int:
    """Return 1 if the player on turn wins after the first number, 0 for a tie and -1 for a loss."""
    lead = position.points[position.mover] - position.points[1 - position.mover]
    total = lead + Endings(position, None).margin(position.here, position.turn, -lead - 1, 1 - lead)
    return (total > 0) - (total < 0)


@cache
def _solve_first(size: int) -> Solved | None:
    """Solve the empty board of a size."""
    position = CocompositePosition.empty(size)
    return _solved(position, Endings(position, None))


def _solved(position: CocompositePosition, endings: Endings) -> Solved | None:
    """Solve a position of two players; None if that takes more positions than the solver may look at."""
    mover, turn = position.mover, position.turn
    lead = position.points[mover] - position.points[1 - mover]
    margins = []
    try:
        # The window around an equal score proves win, draw or loss.
        for gain, code in endings._ordered(list(position.moves()), turn):
            even = lead + gain
            value = even - _after(endings, position, code, even - 1, even + 1)
            margins.append((value, code))
    except BudgetSpent:
        return None
    result = max((value > 0) - (value < 0) for value, _ in margins)
    keep = [code for value, code in margins if (value > 0) - (value < 0) == result]
    try:
        wide = {code: -_after(endings, position, code, -_ALL, _ALL) + _gain(position, code) for code in keep}
        keep.sort(key=lambda code: -wide[code])
    except BudgetSpent:
        bound = {code: value for value, code in margins}
        keep.sort(key=lambda code: -bound[code])
    return Solved(
        (result + 1) / 2,
        tuple(keep),
        endings.looked if endings.limit is None else min(endings.looked, endings.limit),
    )


def _after(endings: Endings, position: CocompositePosition, code: int, low: int, high: int) -> int:
    """Return the margin of the opponent's points after a move."""
    before = endings.held[code]
    endings.held[code] = endings.full if before else position.turn + 1
    try:
        return endings.margin(code, position.turn + 1, low, high)
    finally:
        endings.held[code] = before


def _gain(position: CocompositePosition, code: int) -> int:
    return 1 if position.held[code] else 0


def _room(position: CocompositePosition) -> int:
    """Count the squares that the walk may still reach, up to one more than is ever solved."""
    effect, held, near = alive(position.board.size)[position.turn], position.held, position.board.near
    seen, edge = {position.here}, [position.here]
    while edge and len(seen) <= _ROOM + 1:
        for square in near[edge.pop()]:
            if square not in seen and effect[held[square]] != 1:
                seen.add(square)
                edge.append(square)
    return len(seen) - 1


def solve_start(size: int) -> tuple[int, int]:
    """Return the margin of the first player from the empty board, and the positions that were looked at."""
    position = CocompositePosition.empty(size)
    endings = Endings(position, None)
    best = -_ALL
    # Boards that are turned or mirrored are the same.
    half = range((size + 1) // 2)
    for code in sorted(row * size + column for row in half for column in range(row + 1)):
        best = max(best, -_after(endings, position, code, -_ALL, -best))
    return best, endings.looked
