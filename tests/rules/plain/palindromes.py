"""The Palindromic Card Game, plainly: every stretch of the other row is turned round.

Rows are secret and too many to list: of a hand only those that repeat one order from another card on are offered.
Wrong names are not offered either.
"""

import random

from rules.core.game import Seat
from rules.games.palindromes import Palindromes, PalindromesState
from tests.rules.plain import Facts, PlainGame, best
from tests.rules.plain.palindromes_rows import number, patterns


class Plain(PlainGame):
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


def sample(state: PalindromesState, seat: Seat | None, chance: random.Random) -> str:
    """Return the text of some legal move, any that there is; `legal` lists none here."""
    game = Palindromes()
    if seat is None:
        deals, weights = zip(*game.chances(state), strict=True)
        return game.format(chance.choices(deals, weights)[0])
    if not state.arranged:
        reds, blacks = state.hand(seat)
        cards = list("R" * reds + "B" * blacks)
        chance.shuffle(cards)
        return f"arrange {''.join(cards)}"
    other = state.rows[1 - seat] or ""
    names = sorted({str(name) for name in patterns(number(other), len(other))} - {*state.found[seat]})
    guesses = [f"R{'B' * gap}R" for gap in range(7)]
    wrong = [guess for guess in guesses if guess not in other and guess not in state.wrong[seat]]
    if state.misses and wrong and chance.random() < 0.1:
        return f"find {chance.choice(wrong)}"
    return f"find {chance.choice(names)}" if names and chance.random() < 0.8 else "done"


FACTS = Facts(
    small={"cards": 8},
)
