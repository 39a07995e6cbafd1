"""How X's and Lines is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"size": 5}
PLACED = "a1, d4, b5, e2, c3"

LESSON = Lesson(
    key="xlines",
    how="Place x's together, then draw one trail from x to x; whoever draws its last line loses.",
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
)
