"""How "Maze" of Polygonal Sections is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"size": 3}

LESSON = Lesson(
    key="maze",
    how="Draw walls together, then fill section after section; whoever fills the last of a string scores.",
    lengths={"quick": 15, "standard": 32, "long": 52},
    in_play=Scene(
        "e3-d3, a1-c3, e2-b4, c5-c4, a5-b3, c1-c2, e1-d2, d5-d4, 9, 6, 1, 3, 8, 10, 16, 18, 21, 22, 15, 17",
        players=3,
    ),
    pages=(
        Page(
            "Drawing",
            "First draw the maze: one straight wall each in turn, from a point that a line touches to one that no line"
            " touches.",
            Scene("d3-c3", SMALL),
        ),
        Page(
            "Not allowed",
            "A wall touches other walls only where it begins.",
            Scene("a2-c3", SMALL),
            refused="a4-b2",
            rule="crosses",
        ),
        Page(
            "Filling",
            "When every point is touched, fill sections: each next one is a neighbour of the section filled last,"
            " without a wall between them.",
            Scene("d3-c3, d2-c2, b4-b2, 4, 7", SMALL),
        ),
        Page(
            "The score",
            "If the last section has no empty neighbour, its string has ended. The player who filled it gets a point,"
            " and the next player begins a new string anywhere.",
            Scene("d3-c3, d2-c2, b4-b2, 4, 7, 8, 9", SMALL),
        ),
        Page(
            "The end",
            "When all sections are filled, most points win.",
            Scene("d3-c3, d2-c2, b4-b2, 4, 7, 8, 9, 1, 2, 3, 6, 5", SMALL),
            end=True,
        ),
    ),
)
