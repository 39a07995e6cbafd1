"""The lesson of "Maze" of Polygonal Sections."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Ends, Gains, Legal, RefusedBy, Wins

SMALL = {"size": 3}

LESSON = Lesson(
    key="maze",
    how="Draw walls together, then fill sections, each beside the last. Dead ends score; most points win.",
    lengths={"quick": 15, "standard": 32, "long": 52},
    in_play=Scene(
        "e3-d3, a1-c3, e2-b4, c5-c4, a5-b3, c1-c2, e1-d2, d5-d4, 9, 6, 1, 3, 8, 10, 16, 18, 21, 22, 15, 17",
        players=3,
    ),
    pages=(
        Page(
            "Drawing",
            "First draw the maze: one straight wall each in turn, from a point that a wall touches to a free point.",
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
    steps=(
        Step(
            "A wall",
            "First the maze is drawn. Draw a straight wall from a point that a wall touches to a free point: choose"
            " where it begins, then where it ends.",
            Scene("d3-c3", SMALL),
            Legal(),
            hint="d2-c2",
            done="The wall is drawn, and all points on it are touched now.",
        ),
        Step(
            "Crossing",
            "A wall touches other walls only where it begins. Try a4-b2, and see why not.",
            Scene("a2-c3", SMALL),
            RefusedBy("crosses"),
            hint="a4-b2",
            done="It must end before it meets another wall.",
            miss="That wall is legal: after its first point it touches no wall. Try a4-b2.",
            wrong={"a4-b3": "a4-b3 ends before it meets the wall, so it is legal. Try a4-b2."},
            tempting=("a4-b2",),
        ),
        Step(
            "A section",
            "All points are touched, so the maze is complete. Section 4 was filled last: fill a neighbour of it.",
            Scene("d3-c3, d2-c2, b4-b2, 4", SMALL),
            Legal(),
            hint="7",
            done="Sections that are filled one after the other form a string.",
        ),
        Step(
            "No neighbour",
            "The next section must be a neighbour of the last one, with no wall between. Try 9, and see why not.",
            Scene("d3-c3, d2-c2, b4-b2, 4", SMALL),
            RefusedBy("apart"),
            hint="9",
            done="Only an open neighbour of the section filled last may be filled.",
            miss="That section is an open neighbour of 4, so it is legal. Try 9.",
            wrong={"1": "1 is an open neighbour of 4, so it is legal. Try 9."},
            tempting=("9", "5"),
        ),
        Step(
            "A point",
            "The string ends when the last section has no empty neighbour, and whoever filled it gets a point. End the"
            " string.",
            Scene("d3-c3, d2-c2, b4-b2, 4, 7, 8", SMALL),
            Gains(1),
            hint="9",
            done="9 is a dead end: the string has ended, and you get the point.",
            miss="From there the string goes on, so nobody scores.",
            wrong={"5": "From 5 the string goes on. Look for a dead end."},
        ),
        Step(
            "The end",
            "One section is left. Fill it, and look at the score.",
            Scene("d3-c3, d2-c2, b4-b2, 4, 7, 8, 9, 1, 2, 3, 6", SMALL),
            Ends(),
            hint="5",
            done="All sections are filled, so the game is over: most points win. The last section scores, too.",
        ),
        Step(
            "Win it",
            "A string has ended, so you may fill any section. You can win this against the strongest computer player:"
            " count the steps to the dead ends, and play on to the end.",
            Scene("d1-b2, a3-b3, d1-c2, c2-c3, 12, 9, 7, 4, 5, 8, 11", SMALL),
            Wins(),
            hint="3",
            done="You beat the strongest computer player.",
            miss="All sections are filled, and you have no more points than your opponent.",
            wrong={
                "2": "From 2 your opponent gets the next point and wins. Begin where both ways lead you to a point.",
                "6": "From 6 your opponent gets the next point and wins. Begin where both ways lead you to a point.",
                "1": "From 1 all sections become one string: you get its point, which is only a shared win.",
                "10": "From 10 all sections become one string: you get its point, which is only a shared win.",
            },
            against=True,
        ),
    ),
)
