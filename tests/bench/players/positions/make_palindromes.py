"""Write `palindromes.jsonl`: `python -m tests.bench.players.positions.make_palindromes`.

A position is a hand of up to 17 cards of which some rows are worth something; `best` are all rows that are worth the
most against a perfect search.
"""

import json
from itertools import combinations
from pathlib import Path

from rules.games.palindromes import palindromes

CARDS = range(8, 18)


def main() -> None:
    lines = []
    for cards in CARDS:
        best = [_best(cards, reds) for reds in range(cards + 1)]
        for reds, (worth, rows) in enumerate(best):
            other = best[cards - reds][0]
            if worth:
                fields = {
                    "game": "palindromes",
                    "options": {"cards": cards},
                    "players": 2,
                    "moves": [[None, f"deal {reds}"]],
                    "value": 1 if worth > other else 0.5 if worth == other else 0,
                    "best": [f"arrange {row}" for row in rows],
                }
                lines.append(json.dumps(fields) + "\n")
    Path(__file__).with_name("palindromes.jsonl").write_text("".join(lines), encoding="utf-8")


def _best(cards: int, reds: int) -> tuple[int, list[str]]:
    """Return what the best rows of a hand are worth, and all of them, by looking at every row."""
    most = 0
    best: list[str] = []
    for places in combinations(range(cards), reds):
        row = "".join("R" if place in places else "B" for place in range(cards))
        worth = reds - len(palindromes(row))
        if worth > most:
            most, best = worth, []
        if worth == most:
            best.append(row)
    return most, best


if __name__ == "__main__":
    main()
