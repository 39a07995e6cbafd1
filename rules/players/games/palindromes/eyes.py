"""Names that are overlooked: how hard a palindrome is to find, and what that makes a row worth."""

from collections.abc import Mapping

from rules.games.palindromes.rows import palindromes
from rules.games.palindromes.state import Row


def chance_to_find(name: Row, row: Row, overlooked: float) -> float:
    """Return the chance to find a name: each card beyond the first hides it with the chance `overlooked`.

    A name that is crossed by another palindrome wherever it stands counts as two cards longer.
    """
    further = len(name) - 1
    if further and _crossed(name, row):
        further += 2
    return float((1 - overlooked) ** further)


def _crossed(name: Row, row: Row) -> bool:
    """True if wherever the name stands another palindrome overlaps it and reaches beyond it on one side only."""
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
