"""The lesson of Polygons & Dots."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Ends, Legal, RefusedBy, Wins

SMALL = {"dots": 3, "size": 10}
PLACED = "d2, b2, a1, c1, a6, g4"

LESSON = Lesson(
    key="polygons",
    how="Place dots and join them into one path. One player collects odd-sided polygons, the other even-sided.",
    lengths={"quick": 11, "standard": 19, "long": 15},
    in_play=Scene(
        "k12, h3, k1, c5, l8, l7, j11, g7, a12, c3, h3-k12, k12-c3, c3-l8, l8-g7, g7-l7, l7-j11",
        {"dots": 5, "size": 12},
    ),
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
            "When all dots are joined, the path is closed. The first player gets a point for each polygon with an odd"
            " number of sides, the second for each with an even number.",
            Scene("j4, b6, a2, g9, e8, i3, j4-b6, b6-g9, g9-a2, a2-i3, i3-e8", SMALL),
            end=True,
        ),
    ),
    steps=(
        Step(
            "A dot",
            "First, the dots are placed. Choose a part of the paper, then a point for your dot.",
            Scene("c8, h3, b3", SMALL),
            Legal(),
            hint="g8",
            done="Each player places the same number of dots.",
        ),
        Step(
            "Three in line",
            "No three dots may lie on one straight line. Try g4, and see why not.",
            Scene("c8, h3", SMALL),
            RefusedBy("three in line"),
            hint="g4",
            done="A crowded paper has few free points.",
            miss="That point is legal: no two dots are in line with it. Try g4.",
            wrong={"b3": "b3 is in line with no two dots, so it is legal. Try g4."},
            tempting=("g4",),
        ),
        Step(
            "A segment",
            "All dots are placed. The dot joined last is g3: join it to any dot that is not joined yet.",
            Scene("c4, b9, i3, g3, g9, i5, b9-g3", SMALL),
            Legal(),
            hint="g3-i5",
            done="Your opponent goes on from the dot where your segment ended.",
        ),
        Step(
            "Once each",
            "Every dot is joined once, until the path is closed. Try to go from i5 back to b9, and see why not.",
            Scene("c4, b9, i3, g3, g9, i5, b9-g3, g3-i5", SMALL),
            RefusedBy("joined"),
            hint="i5-b9",
            done="The last segment, back to the first dot, is drawn automatically.",
            miss="That segment is legal: it leads to a dot that is not joined yet. Try b9.",
            wrong={"i5-g9": "g9 is not joined yet, so that is legal. Try b9."},
            tempting=("i5-b9",),
        ),
        Step(
            "Close it and count",
            "Only one dot is left. Join it: the path is closed, and its polygons are counted.",
            Scene("c4, b9, i3, g3, g9, i5, b9-g3, g3-i5, i5-g9, g9-c4", SMALL),
            Ends(),
            hint="c4-i3",
            done="Regions with an odd number of sides count for the first player, those with an even number for the"
            " second.",
        ),
        Step(
            "Win it",
            "You are the second player, so you need more even polygons. You can beat the strongest computer player"
            " here: choose the right one of the last two dots.",
            Scene("d2, i6, g8, e9, e3, f10, d2-i6, i6-e3, e3-e9", SMALL),
            Wins(),
            hint="e9-f10",
            done="You beat the strongest computer player.",
            miss="The path is closed, and you have no more polygons than your opponent. Try the other dot.",
            wrong={"e9-g8": "That way the first player gets more polygons. Try the other dot."},
            against=True,
        ),
    ),
)
