"""Judge a finished game: what each move was worth, and the moments that decided it.

Every position is looked at, the last first: the value after a move is that of the position it leads to.
`python -m rules review` does that on a pipe. In: a finished record, as `bestmove` reads it, with `"nodes"` for each
position (2000 if left out) and `"seed"`. Out, for every move of a seat, the last first: `{"ply": 7, "seat": 1, "move":
"3", "before": 1.0, "after": 0.0, "exact": true, "standard_error": 0.0, "better": "5"}`, and then `{"moments": [7]}`.
`before` and `after` are the expected shares of the win for the seat that moved. `{"error": "..."}` answers a record
that cannot be reviewed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from rules.core.errors import BadSetup, RuleError
from rules.core.game import Seat
from rules.core.match import LEAVING, Match
from rules.core.record import RECORD, read_line, read_match, read_whole
from rules.games import find
from rules.players.choose import choose, find_player
from rules.players.levels import STRONGEST, Budget
from rules.players.player import Choice
from rules.players.position import Shares

NODES = 2000
"""Playouts for each position of a review, unless the caller says otherwise."""
SECOND = STRONGEST
"""The second search before a move is blamed: with more playouts, and with far more positions for the solvers."""
MOST_NODES = 1_000_000

MOST_MOMENTS = 6
DOUBT = 2.0
"""Standard errors by which two estimates must differ before anything is said of their difference."""
LEAST = 0.1
"""Share of the win that an estimate must fall beyond that, to be a moment."""

FIELDS = (*RECORD, "nodes", "seed")


@dataclass(frozen=True, slots=True)
class Outlook:
    """The expectation of each seat in one position.

    `shares` are expected shares of the win by seat; `exact` is True if they are proved under best play. `error` is the
    standard error of an estimate, from its playouts alone: what the search misjudges is not in it. `best` is the best
    move that was found, None where nobody is to move.
    """

    shares: Shares
    exact: bool
    error: float = 0.0
    best: str | None = None
    kept: "Outlook | None" = None
    """The outlook after the best move, searched just as that after the move that was played: a search hopes for too
    much where many moves are open, so estimates are compared only where the same seat is to move. None where it is not
    needed."""
    second: "tuple[Outlook, Outlook] | None" = None
    """The outlooks after the best move and after the move that was played, by a second and larger search. None unless
    the first search alone would blame the move."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One move of a seat. `ply` is its index in the log; `before` and `after` are the seat's shares of the win.

    `exact` is True if both are proved, else `error` is the standard error of their difference. `better` is a better
    move, or the move itself if none was found. `confirmed` is True if a second search has found `before` and `after`.
    """

    ply: int
    seat: Seat
    move: str
    before: float
    after: float
    exact: bool
    error: float
    better: str
    confirmed: bool = False

    @property
    def loss(self) -> float:
        """The share of the win that the move gave away."""
        return self.before - self.after

    @property
    def suspected(self) -> bool:
        """True if one search finds that the move gave something away."""
        if self.better == self.move:
            return False
        return self.loss > 1e-9 if self.exact else self.loss - DOUBT * self.error >= LEAST

    @property
    def clear(self) -> bool:
        """True if the loss is proved, or if two searches agree on it."""
        return self.suspected and (self.exact or self.confirmed)


def reviewable(match: Match) -> bool:
    """Return True if a match is over and can be reviewed: it was not broken off, and a computer player can judge it."""
    if not match.over or match.void:
        return False
    start = Match.start(match.game, dict(match.setup.options), match.setup.players)
    if start.legal() is not None:
        return True
    try:
        return find_player(match.game).opened(start, 0) is not None
    except BadSetup:
        return False


def opened(match: Match, stage: Match, index: int) -> Choice | None:
    """Return what a position was worth by all that is known after the game; None if it has to be searched.

    `index` is that of the move that was played there.
    """
    if stage.legal() is not None:
        return None
    return find_player(match.game).opened(stage, match.log[index].seat or 0)


def remarks(match: Match) -> tuple[tuple[Seat, str], ...]:
    """Return what else is to be said of a finished game: seats, and what each did, as the rest of a sentence."""
    return find_player(match.game).remarks(match)


def positions(match: Match) -> tuple[Match, ...]:
    """Return the positions of a finished match from its start to its end, one more than it has plies.

    Raises BadSetup if the match is not `reviewable`.
    """
    if not match.over:
        raise BadSetup("Only a finished game can be reviewed.")
    if match.void:
        raise BadSetup("A game that ended without a result cannot be reviewed.")
    if not reviewable(match):
        raise BadSetup(f"{match.game.sheet.title} cannot be reviewed yet.")
    return stages(match)


def stages(match: Match) -> tuple[Match, ...]:
    """Return the positions of a match from its start to where it stands, one more than it has plies."""
    found = [Match.start(match.game, dict(match.setup.options), match.setup.players)]
    for seat, text in match.log:
        found.append(found[-1].play(seat, text))
    return tuple(found)


def final(match: Match) -> Outlook:
    """Return the outlook of a match that is over: its result."""
    winners = match.winners or ()
    shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(match.setup.players))
    return Outlook(shares, exact=True)


def outlook(match: Match, choice: Choice, after: Outlook | None, played: str | None) -> Outlook | None:
    """Return the outlook of a position by the choice of a computer player there, None if the choice has no value.

    `after` is the outlook of the next position of the game, if it is known, and `played` the move that led there, None
    if no move of a seat did. If that move is proved to win, so is the position, whatever the search has found.
    """
    if choice.shares and choice.exact:
        return Outlook(choice.shares, exact=True, best=choice.move)
    (seat,) = match.to_move
    assert seat is not None
    if played is not None and after is not None and after.exact and after.shares[seat] == 1:
        return Outlook(after.shares, exact=True, best=played)
    if choice.value is None:
        return None
    error = 0.0 if choice.exact else _error(choice.value, choice.visits or choice.nodes)
    shares = choice.shares or _shares(match, seat, choice.value)
    return Outlook(shares, choice.exact, error, choice.move)


def judged(match: Match, ply: int, before: Outlook | None, after: Outlook | None) -> Judged | None:
    """Judge the move at index `ply` of a match by the outlooks around it.

    Returns None if it is no move of a seat, or if one of the outlooks is not known.
    """
    seat, move = match.log[ply]
    if seat is None or move in LEAVING or before is None or after is None or before.best is None:
        return None
    if before.exact and before.best == move:
        after = before
    had = before if before.kept is None else before.kept
    if before.second is not None:
        again, later = before.second
        had, after = had if had.exact else again, after if after.exact else later
    return Judged(
        ply,
        seat,
        move,
        had.shares[seat],
        after.shares[seat],
        had.exact and after.exact,
        sqrt(had.error**2 + after.error**2),
        before.best,
        before.second is not None,
    )


def moments(moves: Sequence[Judged], seats: int) -> tuple[Judged, ...]:
    """Return the moves that clearly gave something away, in the order of the game: the worst, six at most.

    A move that gave the lead away comes before one that lost as much and did not.
    """
    even = 1 / seats
    clear = [move for move in moves if move.clear]
    clear.sort(key=lambda move: (round(move.loss, 6), move.before >= even > move.after), reverse=True)
    return tuple(sorted(clear[:MOST_MOMENTS], key=lambda move: move.ply))


def backwards(
    match: Match, stages: Sequence[Match], ask: Callable[[Match], Choice], again: Callable[[Match], Choice]
) -> Iterator[tuple[int, Outlook | None]]:
    """Yield the outlook of each position of a finished match with its index, the last first; None if there is none.

    `ask` searches a position, and `again` searches one for the second time, more deeply.
    """
    after: Outlook | None = final(stages[-1])
    yield len(stages) - 1, after
    for index in range(len(stages) - 2, -1, -1):
        stage, played, later = stages[index], played_move(match, index), after
        after = outlook(stage, opened(match, stage, index) or ask(stage), later, played)
        other = other_way(stage, after, played)
        if other is not None and after is not None:
            after = replace(after, kept=looked(other, ask))
        doubt = doubted(stages, index, after, later)
        if doubt is not None and after is not None:
            had, now = (known or looked(there, again) for there, known in doubt)
            after = replace(after, second=None if had is None or now is None else (had, now))
        yield index, after


def looked(stage: Match, ask: Callable[[Match], Choice]) -> Outlook | None:
    """Return the outlook of a position by a search of its own, or its result if it is over."""
    return final(stage) if stage.over else outlook(stage, ask(stage), None, None)


Doubt = tuple[tuple[Match, Outlook | None], tuple[Match, Outlook | None]]
"""The positions after the best move and after the move that was played, each with its outlook if that is proved."""


def doubted(stages: Sequence[Match], index: int, now: Outlook | None, after: Outlook | None) -> Doubt | None:
    """Return what has to be searched again before the move at an index is blamed; None if nothing has to.

    `stages` are all positions of the match; `now` and `after` are the outlooks before and after the move.
    """
    move = judged(stages[-1], index, now, after)
    if now is None or after is None or move is None or not move.suspected or move.exact:
        return None
    best = (stages[index], now) if now.exact else (stages[index].play(move.seat, move.better), None)
    return best, (stages[index + 1], after if after.exact else None)


def other_way(stage: Match, found: Outlook | None, played: str | None) -> Match | None:
    """Return the position after the best move, if it has to be searched to judge the move that was played instead."""
    if found is None or found.exact or found.best is None or played is None or found.best == played:
        return None
    (seat,) = stage.to_move
    return stage.play(seat, found.best)


def settled(match: Match, outlooks: Sequence[Outlook | None]) -> tuple[Outlook | None, ...]:
    """Return the outlooks of all positions, with the proofs that follow from those of the positions before them.

    A best move, and any move of a seat that has lost against one other, keeps what is proved. None stands for a
    position that was not looked at.
    """
    known: list[Outlook | None] = [outlooks[0]]
    for index, now in enumerate(outlooks[1:]):
        before, seat, move = known[index], match.log[index].seat, played_move(match, index)
        if before is not None and now is not None and before.exact and not now.exact and move is not None:
            lost = match.setup.players == 2 and seat is not None and before.shares[seat] == 0
            if move == before.best or lost:
                now = replace(now, shares=before.shares, exact=True, error=0.0, kept=None)
        known.append(now)
    return tuple(known)


def played_move(match: Match, ply: int) -> str | None:
    """Return the text of the move at an index of a match's log; None if it is no move of a seat."""
    seat, move = match.log[ply]
    return None if seat is None or move in LEAVING else move


def answers(line: str) -> Iterator[dict[str, object]]:
    """Yield the answers to one line of the text interface; never raises."""
    try:
        yield from _review(read_line(line, FIELDS, '{"game": "alaric", "moves": [[0, "1"]]}'))
    except RuleError as error:
        yield {"error": str(error)}


def _review(fields: Mapping[str, object]) -> Iterator[dict[str, object]]:
    match = read_match(find(str(fields["game"])), fields)
    nodes, seed = read_whole(fields, "nodes"), read_whole(fields, "seed")
    budget = Budget(nodes=NODES if nodes is None else nodes)
    if not 1 <= (budget.nodes or 0) <= MOST_NODES:
        raise BadSetup(f"nodes must be from 1 to {MOST_NODES}.")
    moves: list[Judged] = []
    later: Outlook | None = None
    for index, now in backwards(
        match,
        positions(match),
        lambda stage: choose(stage, None, budget, seed or 0),
        lambda stage: choose(stage, None, SECOND, (seed or 0) + 1),
    ):
        move = None if index == len(match.log) else judged(match, index, now, later)
        later = now
        if move is not None:
            moves.append(move)
            yield _line(move)
    yield {"moments": [move.ply for move in moments(moves, match.setup.players)]}


def _line(move: Judged) -> dict[str, object]:
    return {
        "ply": move.ply,
        "seat": move.seat,
        "move": move.move,
        "before": move.before,
        "after": move.after,
        "exact": move.exact,
        "standard_error": move.error,
        "better": move.better,
    }


def _shares(match: Match, seat: Seat, value: float) -> Shares:
    """Return the share of every seat. What is left to the others is divided evenly if nothing else is known."""
    others = [other for other in match.playing if other != seat]
    return tuple(
        value if one == seat else (1 - value) / len(others) if one in others else 0.0
        for one in range(match.setup.players)
    )


def _error(value: float, visits: int) -> float:
    """Return the standard error of a share after so many playouts; never 0, however often they all agreed."""
    near = (value * visits + 1) / (visits + 2)
    return sqrt(near * (1 - near) / max(1, visits))
