"""The Palindromic Card Game, naively: every stretch of the other row is turned round.

Rows are secret and too many to list: of a hand only those that repeat one order from another card on are offered.
Wrong names are not offered either.
"""

from tests.bench.naive import NaiveGame, best


class Naive(NaiveGame):
    def __init__(self, cards: int, misses: int) -> None:
        self.cards = cards
        self.reds = -1
        self.rows: list[str] = []
        self.found: list[list[str]] = [[], []]
        self.done = 0

    def moves(self) -> list[str]:
        if self.reds < 0:
            return [f"deal {reds}" for reds in range(self.cards + 1)]
        if len(self.rows) < 2:
            reds = self.cards - self.reds if self.rows else self.reds
            hand = "R" * reds + "B" * (self.cards - reds)
            return list({f"arrange {hand[at:] + hand[:at]}": True for at in range(self.cards)})
        return [f"find {name}" for name in self.names()] + ["done"] if self.done < 2 else []

    def names(self) -> list[str]:
        """Return the palindromes that the searching player has not named yet."""
        row = self.rows[1 - self.done]
        found = []
        for start in range(len(row)):
            for end in range(start + 1, len(row) + 1):
                name = row[start:end]
                good = name[0] == "R" and name[-1] == "R" and name == name[::-1]
                if good and name not in found and name not in self.found[self.done]:
                    found.append(name)
        return found

    def make(self, move: str) -> None:
        word, _, rest = move.partition(" ")
        if word == "deal":
            self.reds = int(rest)
        elif word == "arrange":
            self.rows.append(rest)
        elif word == "find":
            self.found[self.done].append(rest)
        else:
            self.done += 1

    def text(self, move: str) -> str:
        return move

    def winners(self) -> list[int]:
        return best(
            [row.count("R") - len(found) for row, found in zip(self.rows, self.found[::-1], strict=True)]
        )
