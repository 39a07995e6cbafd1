"""How Polygons & Dots is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"dots": 3, "size": 10}
PLACED = "d2, b2, a1, c1, a6, g4"

LESSON = Lesson(
    key="polygons",
    how="Place dots, then join them into one closed path: its odd-sided regions are yours, the even-sided your"
    " opponent's, or the reverse.",
    lengths={"quick": 11, "standard": 15, "long": 23},
    in_play=Scene("i23, f5, s4, x20, o19, w5, h4, f11, h4-i23, i23-x20, x20-s4, s4-f5, f5-o19, o19-f11"),
    pages=(
        Page(
            "Placing",
            "First take turns to place dots on points of the paper, the same number each.",
            Scene("c8, h3, b3", SMALL),
        ),
        Page(
            "Not allowed",
            "No three dots may lie on one straight line.",
            Scene("c8, h3", SMALL),
            refused="g4",
            rule="three in line",
        ),
        Page(
            "Your segment",
            "Then join the dot joined last to one that is not joined yet. Segments may cross.",
            Scene("c4, b9, i3, g3, g9, i5, b9-g3, g3-i5, i5-g9", SMALL),
        ),
        Page(
            "The end and the score",
            "When all dots are joined, the path is closed. The first player gets a point for each region with an odd"
            " number of sides, the second for each with an even number.",
            Scene("j4, b6, a2, g9, e8, i3, j4-b6, b6-g9, g9-a2, a2-i3, i3-e8", SMALL),
            end=True,
        ),
    ),
)
