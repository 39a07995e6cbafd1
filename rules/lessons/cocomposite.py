"""The lesson of Co-Compositeness."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Gains, Legal, RefusedBy, Wins

SMALL = {"size": 5}
WALK = "c3, d3, d4, c4"

LESSON = Lesson(
    key="cocomposite",
    how="Write 1, 3, 5 … each beside the last, until one fits nowhere. 9 on 3 scores: both are multiples of 3. Most"
    " points win.",
    lengths={"quick": 35, "standard": 80, "long": 80},
    in_play=Scene(
        "o14, n15, o15, p16, p15, p14, p13, o12, o11, n12, n11, m11, m10, l11, l12, m13, n13, o12, o13, n13, n14, m15,"
        " l14, m14, l15"
    ),
    small=Scene("b2, c2, c3, b3, c2", {"size": 4}),
    pages=(
        Page(
            "Your move",
            "Write the next odd number in one of the eight squares around the number written last.",
            Scene(WALK, SMALL),
        ),
        Page(
            "The score",
            "A number may join another one if both share a factor above 1. 9 joins 3, since both are multiples of 3,"
            " and that scores a point.",
            Scene(f"{WALK}, d3", SMALL),
        ),
        Page(
            "Not allowed",
            "Numbers without a common factor may not share a square, and no square holds three.",
            Scene(WALK, SMALL),
            refused="c3",
            rule="no common factor",
        ),
        Page(
            "The end",
            "When the player on turn has no square to write in, the game ends. Most points win.",
            Scene("c2, d3, d4, c4, d3, c3, b3, a4, b4, a3, a4", {"size": 4}),
            end=True,
        ),
    ),
    steps=(
        Step(
            "A number",
            "The next number is 9. Write it in one of the eight squares around 7, which was written last.",
            Scene(WALK, SMALL),
            Legal(),
            hint="c5",
            done="Next comes 11, beside your 9.",
        ),
        Step(
            "A point",
            "A number may join another one if both share a factor. 9 and 3 are multiples of 3: write 9 on top of the 3,"
            " in d3.",
            Scene(WALK, SMALL),
            Gains(1),
            hint="d3",
            done="9 joins 3, and you get a point.",
            miss="An empty square is legal, but scores nothing. The 3 is in d3.",
            wrong={"b5": "b5 is empty, so nothing is joined. The 3 is in d3."},
        ),
        Step(
            "No common factor",
            "Try to write 9 on top of the 1, in c3, and see why not.",
            Scene(WALK, SMALL),
            RefusedBy("no common factor"),
            hint="c3",
            done="1 shares a factor with no number, and a prime only with its multiples.",
            miss="That square is legal. Try c3, where the 1 is.",
            wrong={"b3": "b3 is empty, so it is legal. Try c3, where the 1 is."},
            tempting=("c3", "d4"),
        ),
        Step(
            "The end",
            "You lead by a point, and the game ends when the player on turn has no square to write in. Write 21 so that"
            " your opponent is stuck.",
            Scene("c1, c2, b2, b1, c2, d1, d2, c3, d3, c4", {"size": 4}),
            Wins(),
            hint="d4",
            done="23 has no square left, so the game is over, and you have the most points.",
            miss="Your opponent can go on from there. Look for a corner without a way out.",
            wrong={"b4": "From b4 there are empty squares. Look for a corner without a way out."},
        ),
        Step(
            "Win it",
            "The score is level, and you can win this against the strongest computer player. Two squares leave them"
            " only one way on. Choose the one after which you can score and leave them no way at all, and play on to"
            " the end.",
            Scene("d4, c4, c3, b4, a4, a3, a2, a1, b1, c2", {"size": 4}),
            Wins(),
            hint="b3",
            done="You beat the strongest computer player.",
            miss="The game is over, and you do not have the most points.",
            wrong={
                "d2": "From d2 your opponent wins. Look for the two squares that leave them only one way on.",
                "d3": "From d3 your opponent gets a shared win: after their move you can score, but they can go on."
                " Try the other square that leaves them only one way on.",
            },
            against=True,
        ),
    ),
)
