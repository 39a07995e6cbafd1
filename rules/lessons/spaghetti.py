"""The lesson of Uncooked Spaghetti and Square Meatballs."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Ends, Gains, Legal, RefusedBy, Wins

SMALL = {"size": 5}
PLACED = "b2, d4, c1, a4, e2"

LESSON = Lesson(
    key="spaghetti",
    how="Lay straight strands between the meatballs; each strand you cross is a point for your opponent.",
    lengths={"quick": 13, "standard": 22, "long": 30},
    in_play=Scene("f3, g2, c2, b3, f1, h8, h5, b5, 6-17, 14-32, 7-19, 3-21, 4-16, 2-24, 5-29"),
    pages=(
        Page(
            "Placing",
            "First take turns to fill squares, as many in all as the board is wide. They are the meatballs.",
            Scene("b2, d4, c1", SMALL),
        ),
        Page(
            "Your strand",
            "Then lay straight strands from one point of the rim to another. No two strands end at the same point.",
            Scene(f"{PLACED}, 3-14", SMALL),
        ),
        Page(
            "Not allowed",
            "A strand may not pass through a meatball. Along its edge or over its corner is fine.",
            Scene(f"{PLACED}, 3-14", SMALL),
            refused="2-13",
            rule="blocked",
        ),
        Page(
            "The score",
            "For each earlier strand that you cross, your opponent gets a point, no matter whose strand it is.",
            Scene(f"{PLACED}, 3-14, 7-20", SMALL),
        ),
        Page(
            "The end",
            "When no strand can be laid, the higher score wins.",
            Scene("a3, d4, d3, a4, 7-10, 4-12, 3-11, 6-16, 9-15, 8-13", {"size": 4}),
            end=True,
        ),
    ),
    steps=(
        Step(
            "A meatball",
            "First, squares are filled: they are the meatballs. Choose an empty square to fill.",
            Scene("b2, d4, c1", SMALL),
            Legal(),
            hint="a4",
            done="When as many are filled as the board is wide, the strands begin.",
        ),
        Step(
            "A strand",
            "Lay a straight strand from one point of the rim to another: press one of those that are offered.",
            Scene("a3, d4, d3, a4, 7-10", {"size": 4}),
            Legal(),
            hint="2-12",
            done="No other strand may end at these two points from now on.",
        ),
        Step(
            "Through a meatball",
            "A strand may not pass through a meatball. Try 2-13, and see why not.",
            Scene(f"{PLACED}, 3-14", SMALL),
            RefusedBy("blocked"),
            hint="2-13",
            done="Along its edge or over its corner is fine.",
            miss="That strand is legal: it passes through no meatball. Try 2-13.",
            wrong={"2-12": "2-12 passes beside the meatballs, so it is legal. Try 2-13."},
            tempting=("2-13",),
        ),
        Step(
            "Crossing costs",
            "For each strand that yours crosses, your opponent gets a point. Lay 7-20 across the strand that is there,"
            " and see.",
            Scene(f"{PLACED}, 3-14", SMALL),
            Legal(("7-20",)),
            hint="7-20",
            done="It crosses 3-14, so your opponent gets a point. It does not matter whose strand you cross.",
            miss="That is legal, but the strand to lay is 7-20: from the top of the right side to the top of the left.",
            wrong={"4-7": "4-7 crosses nothing. Lay 7-20, from the right side to the left."},
        ),
        Step(
            "Cross nothing",
            "Now lay a strand that crosses no other one.",
            Scene("a3, d4, d3, a4, 7-10, 4-12", {"size": 4}),
            Gains(0),
            hint="3-13",
            done="Nobody scores. Such strands become rare, and then every strand gives points away.",
            miss="That strand crosses another one, so your opponent scores.",
            wrong={"3-9": "3-9 crosses 4-12, so your opponent scores."},
        ),
        Step(
            "The end and the score",
            "Three strands can still be laid, but each rules the others out. Lay one, and look at the score.",
            Scene("a3, d4, d3, a4, 7-10, 4-12, 3-11, 6-16, 9-15", {"size": 4}),
            Ends(),
            hint="8-13",
            done="No strand can be laid any more, so the game is over: the higher score wins.",
            miss="That leaves another strand. Lay one after which none is left.",
        ),
        Step(
            "Win it",
            "You can win this against the strongest computer player. Do not only count what a strand costs: think of"
            " what is left for the strands that follow.",
            Scene("a3, c3, d2, b4, 8-12, 11-15, 4-6, 2-16", {"size": 4}),
            Wins(),
            hint="3-7",
            done="You beat the strongest computer player.",
            miss="The game is over, and your score is not the higher one.",
            wrong={
                "1-9": "After 1-9 your opponent wins. Look for a strand after which they must cross more than you.",
                "9-14": "After 9-14 your opponent wins. Look for a strand after which they must cross more than you.",
            },
            against=True,
        ),
    ),
)
