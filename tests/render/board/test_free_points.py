"""Points on lines for marks and letters, which cover nothing else where that is possible."""

from render.board.free_points import free_point

TURN = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0))
"""A line from the left to the right, and down."""


def test_a_mark_lies_at_the_corner_of_a_free_line() -> None:
    assert free_point(TURN, 0.2, (), ()) == (4.0, 0.0)
    assert free_point(((0.0, 0.0), (0.0, 4.0)), 0.2, (), ()) == (0.0, 2.0)


def test_a_mark_keeps_off_lines_other_marks_and_texts() -> None:
    """A mark that would be covered at the corner moves along the line, to the nearest free point."""
    along = ((0.0, 0.0), (6.0, 0.0))
    assert free_point(TURN, 0.2, (), (along,)) == (4.0, 0.5)
    assert free_point(TURN, 0.2, ((4.0, 0.6),), (along,)) == (4.0, 1.25)
    assert free_point(TURN, 0.2, (), (along,), ((3.5, 0.3, 4.5, 1.0),)) == (4.0, 1.25)


def test_a_short_line_has_its_mark_between_its_ends() -> None:
    """Nearer to the one end it would cover that, although it is a little further from the other."""
    assert free_point(((0.0, 0.0), (1.0, 0.0)), 0.21, (), ()) == (0.5, 0.0)
