"""The lesson of X's and Lines."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Ends, Legal, RefusedBy, Wins

SMALL = {"size": 5}
PLACED = "a1, d4, b5, e2, c3"

LESSON = Lesson(
    key="xlines",
    how="Take turns to place x's, then to draw one trail through them; the last line loses.",
    lengths={"quick": 11, "standard": 14, "long": 19},
    in_play=Scene("c2, h5, h8, b5, b3, f3, g2, f1, c2-c5-h5, h5-h8"),
    pages=(
        Page(
            "Placing",
            "First take turns to put x's on empty cells, as many as the board has rows.",
            Scene("a1, d4, b5", SMALL),
        ),
        Page(
            "Your line",
            "Then draw lines from x to x. Each starts where the last one ended, goes to an x without a line, and turns"
            " at most once.",
            Scene(f"{PLACED}, a1-a5-b5", SMALL),
        ),
        Page(
            "Not allowed",
            "No line passes over an x or crosses an earlier line.",
            Scene(f"{PLACED}, a1-a5-b5, b5-d5-d4, d4-d2-e2", SMALL),
            refused="e2-e3-c3",
            rule="crosses",
        ),
        Page(
            "The end",
            "Whoever is on turn and can draw no line wins: the player who drew the last line loses.",
            Scene("d4, c1, a3, b2, c1-c3-a3, a3-a4-d4", {"size": 4}),
            end=True,
        ),
    ),
    steps=(
        Step(
            "An x",
            "First, x's are placed, as many as the board has rows. Choose an empty cell for your x.",
            Scene("a1, d4, b5", SMALL),
            Legal(),
            hint="e2",
            done="When all are placed, the lines begin.",
        ),
        Step(
            "A line",
            "The last line ended at b5. Draw a line from there to any x without a line; it may turn once.",
            Scene(f"{PLACED}, a1-a5-b5", SMALL),
            Legal(),
            hint="b5-d5-d4",
            done="The next line starts where yours ended.",
        ),
        Step(
            "Over an x",
            "A line passes over no x. Try to go from a1 straight to a5, and see why not.",
            Scene("a1, a3, a5, c2, e4, c2-c1-a1", SMALL),
            RefusedBy("passes over"),
            hint="a1-a5",
            done="You would have to stop at a3.",
            miss="That line is legal: it meets no x on its way. Try to go to a5.",
            wrong={"a1-a3": "a1 to a3 is legal, since nothing lies between. Try to go on to a5."},
            tempting=("a1-a5",),
        ),
        Step(
            "Crossing",
            "Lines may meet and overlap, but not cross. Try to go from e2 to c3 by way of e3, and see why not.",
            Scene(f"{PLACED}, a1-a5-b5, b5-d5-d4, d4-d2-e2", SMALL),
            RefusedBy("crosses"),
            hint="e2-e3-c3",
            done="A line that turns before it is fine.",
            miss="That line is legal: it runs along the other one and crosses nothing.",
            wrong={"e2-c2-c3": "This way overlaps an earlier line, which is legal. Turn at e3 instead."},
            tempting=("e2-e3-c3",),
        ),
        Step(
            "The last line",
            "One x has no line yet. Draw the line to it, and see what it costs.",
            Scene("b3, d4, b2, c3, d4-c4-c3, c3-c2-b2", {"size": 4}),
            Ends(),
            hint="b2-b3",
            done="Nobody can draw any more, and you drew the last line: you lose. So make sure that your opponent draws"
            " it.",
        ),
        Step(
            "Win it",
            "You can win this against the strongest computer player: draw so that your opponent draws the last line.",
            Scene("d2, c1, e5, a3, e2, a3-d3-d2", SMALL),
            Wins(),
            hint="d2-e2",
            done="Your opponent had to draw the last line. You beat the strongest computer player.",
            miss="You drew the last line, so you have lost. Count the lines that are left.",
            wrong={
                "d2-d5-e5": "After that your opponent leaves the last line to you. Count the lines that are left.",
                "d2-c2-c1": "After that your opponent leaves the last line to you. Count the lines that are left.",
            },
            against=True,
        ),
    ),
)
