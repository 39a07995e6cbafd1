"""The computer player of the Palindromic Card Game. There is no tree to search: both seats act unseen by each other.

A seat is sure of what its row is worth against a perfect search, and can hold the other to what that row is worth.
Neither depends on what the other does, so laying a best row and finding everything is best play, and what both are
then left with is the proven result.
"""

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

from rules.core.game import Option, Seat
from rules.core.match import Match
from rules.games.palindromes import PalindromesState, PalindromesView, Row, palindromes
from rules.players.games.palindromes.rows import best_rows, table, worth
from rules.players.levels import Budget, Level
from rules.players.player import Choice, Player, Solution, Unsolvable


def chance_to_find(name: Row, row: Row, overlooked: float) -> float:
    """Return the chance to find a name: each card beyond the first hides it with the chance `overlooked`.

    A name that is crossed by another palindrome wherever it stands counts as two cards longer.
    """
    further = len(name) - 1
    if further and _crossed(name, row):
        further += 2
    return float((1 - overlooked) ** further)


def _crossed(name: Row, row: Row) -> bool:
    """Return True if wherever the name stands another palindrome overlaps it and reaches beyond it on one side only."""
    spans = [
        (start, start + len(other))
        for other in palindromes(row)
        for start in range(len(row) - len(other) + 1)
        if row.startswith(other, start)
    ]
    places = [(start, end) for start, end in spans if row[start:end] == name]
    return all(
        any(first < start < last < end or start < first < end < last for first, last in spans)
        for start, end in places
    )


def score_odds(row: Row, overlooked: float) -> dict[int, float]:
    """Return the chances of what a row is worth in the end, against a search that overlooks names."""
    odds = {row.count("R"): 1.0}
    for name in palindromes(row):
        found = chance_to_find(name, row, overlooked) if overlooked else 1.0
        after: dict[int, float] = {}
        for score, chance in odds.items():
            after[score] = after.get(score, 0.0) + chance * (1 - found)
            after[score - 1] = after.get(score - 1, 0.0) + chance * found
        odds = {score: chance for score, chance in after.items() if chance}
    return odds


def expected_share(own: Mapping[int, float], other: Mapping[int, float]) -> float:
    """Return the expected share of the win from the chances of both scores."""
    total = 0.0
    for score, chance in own.items():
        for against, odd in other.items():
            total += chance * odd * (1.0 if score > against else 0.5 if score == against else 0.0)
    return min(1.0, max(0.0, total))


_SAMPLES = 30
"""So many rows of the opponent are imagined to estimate the share of a row that is not the best."""


class PalindromesPlayer(Player):
    """Lays a best row and finds everything; lower levels lay the best of a few random rows and overlook names."""

    key = "palindromes"
    levels: ClassVar = (
        Level(1, overlooked=0.60),
        Level(3, overlooked=0.22),
        Level(5, overlooked=0.12),
        Level(20, overlooked=0.05),
        Level(1),
    )
    """`nodes` is the number of random rows that a level chooses from, `overlooked` the chance that a further card hides
    a name. The strongest level takes its rows from the table, whatever its budget."""
    parted = (Option("reds", 0, 0, 26, "red cards in the hand; all hands without it"),)

    def choose(self, match: Match, seat: Seat, budget: Budget, seed: int) -> Choice:
        view = match.observe(seat).board
        assert isinstance(view, PalindromesView)
        level = self.level(budget)
        if view.hand is not None:
            return self._arrange(view.hand, level, f"{seed} {seat} {view.hand}")
        own, other = view.rows[seat], view.rows[1 - seat]
        assert own is not None
        assert other is not None
        return self._find(own, other, view.found[seat] or (), level, f"{seed} {seat} {other}")

    def _arrange(self, hand: tuple[int, int], level: Level, source: str) -> Choice:
        reds, blacks = hand
        chance = random.Random(source)  # noqa: S311 - for play, not for secrets
        if not level.overlooked:
            known = table().get((reds + blacks, reds))
            row = chance.choice(known.rows) if known else _shuffled(reds, blacks, chance)
            value = _share(worth(reds + blacks, reds), worth(reds + blacks, blacks))
            return Choice(f"arrange {row[:: chance.choice((1, -1))]}", value, True, 1)
        row = _laid(reds, blacks, level.nodes, chance)
        odds = score_odds(row, level.overlooked)
        total = 0.0
        for _ in range(_SAMPLES):
            other = _laid(blacks, reds, level.nodes, chance)
            total += expected_share(odds, score_odds(other, level.overlooked))
        return Choice(f"arrange {row}", total / _SAMPLES, False, level.nodes + _SAMPLES)

    def _find(self, own: Row, other: Row, found: tuple[Row, ...], level: Level, source: str) -> Choice:
        names = palindromes(other)
        seen = [name for name in names if name in found or _sees(name, other, level, source)]
        left = other.count("R") - len(seen)
        value = expected_share(score_odds(own, level.overlooked), {left: 1.0})
        move = next((f"find {name}" for name in seen if name not in found), "done")
        return Choice(move, value, not level.overlooked, len(names))

    def opened(self, match: Match, seat: Seat) -> Choice:
        state = match.state
        own, other = (self._ends_with(state, one) for one in (seat, 1 - seat))
        value = _share(own, other)
        shares = (value, 1 - value) if seat == 0 else (1 - value, value)
        return Choice(self._best(state, seat), value, True, 1, shares)

    def faced(self, match: Match, seat: Seat) -> str:
        """Return the hand, in brackets, which no row contains, or else the row to be searched."""
        view = match.observe(seat).board
        assert isinstance(view, PalindromesView)
        if view.hand is not None:
            reds, blacks = view.hand
            return f"({reds} {blacks})"
        return view.rows[1 - seat] or ""

    def remarks(self, match: Match) -> tuple[tuple[Seat, str], ...]:
        state, found = match.state, []
        for seat, row in enumerate(state.rows):
            if row is not None:
                own, reds = row.count("R") - len(palindromes(row)), row.count("R")
                best = worth(len(row), reds)
                better = f"; the best row of that hand, {self._row(len(row), reds)}, is worth {best}"
                found.append(
                    (seat, f"laid a row worth {own}{better if best > own else ', and none is worth more'}")
                )
        for seat, done in enumerate(state.done):
            missed = [
                name for name in palindromes(state.rows[1 - seat] or "") if name not in state.found[seat]
            ]
            if done:
                found.append((seat, f"missed {', '.join(missed)}" if missed else "found everything"))
        return tuple(found)

    def _ends_with(self, state: PalindromesState, seat: Seat) -> int:
        """Return the points of a seat in the end if from now on both lay the best rows and find everything."""
        row = state.rows[seat]
        if row is None:
            return worth(state.cards, state.hand(seat)[0])
        return row.count("R") - len(state.found[1 - seat] if state.done[1 - seat] else palindromes(row))

    def _best(self, state: PalindromesState, seat: Seat) -> str:
        if state.reds is None:
            return ""
        if state.rows[seat] is None:
            return f"arrange {self._row(state.cards, state.hand(seat)[0])}"
        other = state.rows[1 - seat]
        missed = [name for name in palindromes(other or "") if name not in state.found[seat]]
        return f"find {missed[0]}" if missed else "done"

    def _row(self, cards: int, reds: int) -> Row:
        known = table().get((cards, reds))
        return known.rows[0] if known else "R" * reds + "B" * (cards - reds)

    def parts(self, options: Mapping[str, int]) -> Sequence[Mapping[str, int]]:
        if "reds" not in options:
            return [{**options, "reds": reds} for reds in range(options["cards"] + 1)]
        if not 0 <= options["reds"] <= options["cards"]:
            raise Unsolvable(f"A hand of {options['cards']} cards has 0 to {options['cards']} red ones.")
        return [options]

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        """Solve one hand: seat 0 lays it against a perfect search, and the margin is what its best row is worth."""
        best = best_rows(options["cards"], options["reds"], 1, compiled=compiled)
        return Solution(0 if best.worth else None, best.worth, "win" if best.worth else "tie", best.laid)


def _sees(name: Row, row: Row, level: Level, source: str) -> bool:
    """Return True if the level sees a name.

    It depends on nothing but the seed, the seat and the row, so it stays the same.
    """
    if not level.overlooked:
        return True
    luck = random.Random(f"{source} {name}").random()  # noqa: S311 - for play, not for secrets
    return luck < chance_to_find(name, row, level.overlooked)


def _laid(reds: int, blacks: int, tries: int, chance: random.Random) -> Row:
    """Return the row that is worth the most of so many random ones."""
    rows = [_shuffled(reds, blacks, chance) for _ in range(tries)]
    return max(rows, key=lambda row: -len(palindromes(row)))


def _shuffled(reds: int, blacks: int, chance: random.Random) -> Row:
    return "".join(chance.sample("R" * reds + "B" * blacks, reds + blacks))


def _share(own: int, other: int) -> float:
    return 1.0 if own > other else 0.5 if own == other else 0.0
