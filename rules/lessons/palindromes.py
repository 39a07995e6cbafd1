"""How the Palindromic Card Game is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"cards": 8}
LAID = "deal 4, arrange BRBRRBRB, arrange BBBRRRBR"

LESSON = Lesson(
    key="palindromes",
    how="Lay your red and black cards in secret, then look for palindromes in the other row.",
    lengths={"quick": 9, "standard": 13, "long": 13},
    in_play=Scene("deal 8, arrange RRBBBBRBRBRBRRBR, arrange BRBBRBRRRBBRRBBR"),
    pages=(
        Page(
            "Your hand",
            "You are dealt half of all cards, in any mixture of red and black. Lay them in one row, in secret; your"
            " opponent does the same.",
            Scene("deal 4", SMALL, seat=0),
        ),
        Page(
            "Looking for palindromes",
            "Both rows are shown. In the other row, name stretches that read the same from both ends and begin and end"
            " with red, such as RBR. One red card is one, and each name counts once.",
            Scene(f"{LAID}, find R, 0: find RR, 0: find RBR", SMALL, seat=0),
        ),
        Page(
            "Not allowed",
            "A name begins and ends with red, reads the same from both ends and stands in the other row.",
            Scene(f"{LAID}, find R, 0: find RR", SMALL, seat=0),
            refused="find BRRRB",
            rule="ends",
        ),
        Page(
            "The end and the score",
            "When both say done, each scores the red cards of their own row, less the palindromes that were found in"
            " it. The higher score wins.",
            Scene(
                f"{LAID}, 0: find R, 0: find RRR, 0: done, 1: find R, 1: find RR, 1: find RBRRBR, 1: done",
                SMALL,
            ),
            end=True,
        ),
    ),
)
