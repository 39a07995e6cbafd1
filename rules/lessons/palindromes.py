"""The lesson of the Palindromic Card Game."""

from rules.core.notation import suits
from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Ends, Legal, RefusedBy, Wins

SMALL = {"cards": 8}
LAID = "deal 4, arrange BRBRRBRB, arrange BBBRRRBR"

LESSON = Lesson(
    key="palindromes",
    how="Lay your cards in secret, then search your opponent's row. You score your red cards, less the palindromes"
    " that your opponent finds in your row.",
    lengths={"quick": 8, "standard": 9, "long": 13},
    in_play=Scene("deal 6, arrange RRBBRBRRBBBR, arrange BRBBRBRRRBBR"),
    small=Scene("deal 4, arrange RBBRRBRB, arrange BRBRRBRB", SMALL),
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
            f" with red, such as {suits('RBR')}. One red card is one, and each name counts once.",
            Scene(f"{LAID}, find R, 0: find RR, 0: find RBR", SMALL, seat=0),
        ),
        Page(
            "Not allowed",
            "A name begins and ends with red, reads the same from both ends and stands in the other row. In most games"
            " the third wrong guess ends your search.",
            Scene(f"{LAID}, find R, 0: find RR", SMALL, seat=0),
            refused="find BRRRB",
            rule="ends",
        ),
        Page(
            "The end and the score",
            "When both are done, you score the red cards of your own row, less the palindromes that your opponent found"
            " in it. The higher score wins.",
            Scene(
                f"{LAID}, 0: find R, 0: find RRR, 0: done, 1: find R, 1: find RR, 1: find RBRRBR, 1: done",
                SMALL,
            ),
            end=True,
        ),
    ),
    steps=(
        Step(
            "Your row",
            "This is your hand. Lay all its cards in one row: as proposed, or in an order of your own. Your opponent"
            " does the same, and neither sees the other's row before both are laid.",
            Scene("deal 4, 1: arrange BBBRRRBR", SMALL, seat=0),
            Legal(),
            hint="arrange BRBRRBRB",
            done="Both rows are laid. Here is your opponent's.",
        ),
        Step(
            "A palindrome",
            "Look at the row of your opponent. Find a stretch that reads the same from both ends and begins and ends"
            " with red: press its first card, then its last one. One red card alone is a palindrome, too.",
            Scene(LAID, SMALL, seat=0),
            Legal(("find R", "find RR", "find RRR", "find RBR")),
            hint="find R",
            done="Each palindrome that you find costs your opponent one point.",
            miss="That ends your search. Find a palindrome first.",
            wrong={"done": "That ends your search. Find a palindrome first."},
        ),
        Step(
            "No palindrome",
            "Press card 5 of the other row, then card 8, and see why these four cards do not count.",
            Scene(f"{LAID}, 0: find R", SMALL, seat=0),
            RefusedBy("palindrome"),
            hint="find RRBR",
            done="In most games the third wrong guess ends your search.",
            miss="That does not break the rule about palindromes. Press card 5, then card 8.",
            wrong={
                "find RRR": f"{suits('RRR')} reads the same from both ends, so it counts. Press card 5, then card 8."
            },
        ),
        Step(
            "A longer one",
            "Now find one of three cards.",
            Scene(f"{LAID}, 0: find R, 0: find RR", SMALL, seat=0),
            Legal(("find RRR", "find RBR")),
            hint="find RBR",
            done="The middle card may be black. Each name counts once, however often it stands in the row.",
            miss="That ends your search. Cards 4 to 6 and cards 6 to 8 are worth a look.",
            wrong={"done": "That ends your search. Cards 4 to 6 and cards 6 to 8 are worth a look."},
        ),
        Step(
            "The end and the score",
            "You have found all there is, and your opponent is done. Press **Done**.",
            Scene(
                f"{LAID}, 0: find R, 0: find RR, 0: find RRR, 0: find RBR, 1: find R, 1: find RR, 1: done",
                SMALL,
                seat=0,
            ),
            Ends(),
            hint="done",
            done="You score 4 red cards less 2 palindromes found: 2. Your opponent scores 4 less 4: 0.",
        ),
        Step(
            "Win it",
            "The strongest computer player has searched your row and is done. Find one more palindrome, press"
            " **Done**, and you win.",
            Scene(
                "deal 5, arrange RRBRBBRR, arrange BRRBRBBB, 1: find R, 1: find RR, 1: find RBR, 1: find RBBR, 1: done,"
                " 0: find R, 0: find RR",
                SMALL,
                seat=0,
            ),
            Wins(),
            hint="find RBR",
            done="You beat the strongest computer player.",
            miss="You pressed Done too early: the scores are level. One palindrome is left in the other row.",
            wrong={"done": "That makes the scores level. One palindrome is left in the other row."},
            against=True,
        ),
    ),
)
