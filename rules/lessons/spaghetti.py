"""How Uncooked Spaghetti and Square Meatballs is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"size": 5}
PLACED = "b2, d4, c1, a4, e2"

LESSON = Lesson(
    key="spaghetti",
    how="Lay straight lines between the square meatballs; each line that yours crosses pays your opponent.",
    lengths={"quick": 13, "standard": 22, "long": 30},
    in_play=Scene("f3, g2, c2, b3, f1, h8, h5, b5, 6-17, 14-32, 7-19, 3-21, 4-16, 2-24, 5-29"),
    pages=(
        Page(
            "Placing",
            "First take turns to fill squares, as many in all as the board is wide. They are the meatballs.",
            Scene("b2, d4, c1", SMALL),
        ),
        Page(
            "Your line",
            "Then lay straight lines from one point of the rim to another. No two lines end at the same point.",
            Scene(f"{PLACED}, 3-14", SMALL),
        ),
        Page(
            "Not allowed",
            "A line may not pass through a meatball. Along its edge or over its corner is fine.",
            Scene(f"{PLACED}, 3-14", SMALL),
            refused="2-13",
            rule="blocked",
        ),
        Page(
            "The score",
            "For each earlier line that you cross, your opponent gets a point, no matter whose line it is.",
            Scene(f"{PLACED}, 3-14, 7-20", SMALL),
        ),
        Page(
            "The end",
            "When no line can be laid, the higher score wins.",
            Scene("a3, d4, d3, a4, 7-10, 4-12, 3-11, 6-16, 9-15, 8-13", {"size": 4}),
            end=True,
        ),
    ),
)
