"""The mark of a computer player: a head with an antenna and two eyes, where a person has a dot."""

from render.engine.scene import Area, Disc, Group, Ink, Point, Shape, Stroke


def computer(at: Point, radius: float, ink: Ink, page: Ink, *, hollow: bool = False) -> Group:
    """Return the mark in `ink` on `page`; a `hollow` one is drawn in outline."""
    eyes = ink if hollow else page
    shapes: list[Shape] = [
        Stroke(((0, -1.25), (0, -0.7)), 0.22, ink, wobble=0),
        Disc((0, -1.3), 0.24, ink),
        Area(_box(0.95, 0.8), ink),
    ]
    if hollow:
        shapes.append(Area(_box(0.7, 0.55), page))
    shapes += [Disc((x, 0.1), 0.22, eyes) for x in (-0.38, 0.38)]
    return Group("", tuple(shapes), at, radius)


def _box(across: float, down: float) -> tuple[Point, ...]:
    return (-across, 0.1 - down), (across, 0.1 - down), (across, 0.1 + down), (-across, 0.1 + down)
