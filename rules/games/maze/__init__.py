"""The game of "Maze" of Polygonal Sections: Leroy Quet, Games Conceived, 12 December 2008."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from rules.core.bits import bit, members
from rules.core.errors import Ambiguous, Illegal, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet, leaders
from rules.core.lattice import board_turns, check_on_board
from rules.core.notation import read_cells, read_number
from rules.core.plane import crosses, overlaps
from rules.core.prompt import NumberPrompt, SegmentPrompt
from rules.core.sections import plan
from rules.core.walls import Wall, crossing, walls
from rules.games.maze.state import (
    MazeState,
    MazeView,
    Move,
    SectionView,
    follow,
    open_sections,
    segments,
    touched,
)


def forbidden(state: MazeState, wall: Wall) -> Illegal:
    """Return the reason why this wall may not be drawn."""
    start, end = wall
    if state.plan is not None:
        return Illegal("All walls are drawn; name a section to fill by its number.", rule="phase")
    for vertex in wall:
        check_on_board(vertex, state.size + 1, state.size + 1)
    if start == end:
        return Illegal(f"A wall needs two ends, not {start} twice.", rule="same vertex", marks=[str(start)])
    if not touched(state, start):
        return Illegal(
            f"No wall touches {start} or {end} yet; begin at a point that a wall touches.",
            rule="loose",
            marks=map(str, wall),
        )
    if touched(state, end):
        return Illegal(
            f"A wall touches {end} already; end at a free point.", rule="touched", marks=[str(end)]
        )
    along = [str(other) for other in state.walls if overlaps(wall, other)]
    if along:
        return Illegal(
            f"{wall} would run along {_listed(along)}; walls may not overlap.", rule="along", marks=along
        )
    table = walls(state.size)
    met = [
        str(vertex)
        for vertex in members(table.vertices_on[wall] & ~state.untouched, table.vertices)
        if vertex != start
    ]
    if met:
        return Illegal(
            f"{wall} would touch a wall again at {_listed(met)}; it may touch one only where it begins.",
            rule="touches",
            marks=met,
        )
    crossed = [str(other) for other in state.walls if crosses(wall, other)]
    return Illegal(
        f"{wall} would cross {_listed(crossed)}; walls may not cross.", rule="crosses", marks=crossed
    )


def unfillable(state: MazeState, number: int) -> Illegal:
    """Return the reason why this section may not be filled."""
    count = len(state.owners)
    if not 0 <= number < count:
        return Illegal(f"There is no section {number + 1}: they go from 1 to {count}.", rule="no section")
    if state.owners[number] is not None:
        return Illegal(
            f"Section {number + 1} is filled already; choose an empty one.",
            rule="filled",
            marks=[str(number + 1)],
        )
    last = state.string[-1] + 1
    open_now = [str(choice + 1) for choice in members(follow(state), range(count))]
    return Illegal(
        f"Section {number + 1} shares no open stretch of grid line with {last}, the last section filled; fill"
        f" {_listed(open_now, ' or ')}.",
        rule="apart",
        marks=[str(last)],
    )


def _listed(names: list[str], joint: str = " and ") -> str:
    """Names for a sentence, the first few of very many."""
    return joint.join(names if len(names) <= 8 else [*names[:7], f"{len(names) - 7} more"])


class Maze(Game[MazeState, Move]):
    """Draw a maze together, then chase each other along its corridors into the dead ends."""

    key = "maze"
    sheet = Sheet(
        title='"Maze" of Polygonal Sections',
        short="Maze",
        author="Leroy Quet",
        year=2008,
        place="posted on his blog Games Conceived, 12 December 2008",
        pitch="Build a maze, then run the others into its dead ends.",
        goal="Have the most points when every section is filled. Whoever fills the last section of a string gets one.",
        play=(
            (
                "First take turns to draw the maze, one straight wall each, between points where grid lines meet. The"
                " outer walls are there from the start. Begin at a point that a wall touches already, and end at a free"
                " one. Free points that your wall passes through count as touched, too."
            ),
            "Your wall may not cross another wall or run along one.",
            (
                "When every point is touched, the next player fills any section: a section is what neither grid lines"
                " nor walls divide."
            ),
            (
                "Then each player fills an empty neighbour of the section that was filled last. Sections that are"
                " filled one after another in this way form a string. Neighbours share a stretch of grid line, not"
                " just a point, and no wall lies on it."
            ),
            (
                "If there is no such neighbour, the string has ended: the player who filled the last section gets a"
                " point, and the player on turn fills any empty section."
            ),
        ),
        end="When all sections are filled, most points win; players who share the most points share the win.",
        example="On a grid of 4, a1-d4 touches b2, c3 and d4, and later walls may begin at them. It cuts four"
        " squares in two; the two halves of a square are no neighbours, since the wall is between them.",
        house=(
            "A wall touches no other wall anywhere but in the point where it begins.",
            "The section that completes the board ends its string, too, and scores for the player who filled it.",
            (
                "With more than two players, a player who leaves keeps their points but cannot win, and is skipped."
                " The point for ending a string goes to the player who filled its last section, even if that player"
                " has left."
            ),
        ),
    )
    options = (Option("size", 4, 2, 8, "squares along each side"),)
    sizes = MappingProxyType({"quick": {"size": 3}, "standard": {"size": 4}, "long": {"size": 5}})
    seats = (2, 6)

    def start(self, options: Mapping[str, int], players: int) -> MazeState:
        size = options["size"]
        table = walls(size)
        inside = [vertex for vertex in table.vertices if {*vertex}.isdisjoint((0, size))]
        untouched, rooted, clear = 0, table.all, table.all
        for number, vertex in enumerate(table.vertices):
            if vertex in inside:
                untouched |= bit(number, len(table.vertices))
                rooted &= ~table.starting[vertex]
            else:
                clear &= ~table.reaching[vertex]
        return MazeState(size, untouched, rooted, clear, (0,) * players)

    def to_move(self, state: MazeState) -> tuple[Seat, ...]:
        return () if state.over else (state.mover,)

    def phase(self, state: MazeState) -> str:
        return "draw" if state.plan is None else "fill"

    def legal(self, state: MazeState) -> tuple[Move, ...]:
        if state.plan is None:
            return segments(state)
        return tuple(number + 1 for number in open_sections(state))

    def parse(self, state: MazeState, seat: Seat | None, text: str) -> Move:

        def example() -> str:
            return self.format(next(iter(self.legal(state)), 1))

        try:
            if state.plan is None:
                return _read_wall(state, text, example)
            return read_number(text, "section", example)
        except Unreadable as wrong:
            # A move of the other phase is worth its own answer.
            try:
                if state.plan is None:
                    return read_number(text, "section", example)
                start, end = read_cells(text, example)
            except ValueError:
                raise wrong from None
            return Wall(start, end)

    def apply(self, state: MazeState, seat: Seat | None, move: Move) -> MazeState:
        if isinstance(move, Wall):
            return self._draw(state, move)
        if state.plan is None:
            raise Illegal("The maze is still being drawn; name a wall by its two ends.", rule="phase")
        number = move - 1
        if number not in open_sections(state):
            raise unfillable(state, number)
        unfilled = state.unfilled & ~bit(number, len(state.owners))
        points = list(state.points)
        points[state.mover] += not state.plan.beside[number] & unfilled
        return replace(
            state,
            owners=(*state.owners[:number], state.mover, *state.owners[number + 1 :]),
            unfilled=unfilled,
            strings=_lengthened(state, number),
            points=tuple(points),
            mover=state.next_seat(),
        )

    def _draw(self, state: MazeState, wall: Wall) -> MazeState:
        table = walls(state.size)
        if not state.rooted & state.clear & table.alone.get(wall, 0):
            raise forbidden(state, wall)
        rooted, clear = state.rooted, state.clear & ~crossing(state.size, wall)
        fresh = table.vertices_on[wall] & state.untouched
        for vertex in members(fresh, table.vertices):
            rooted |= table.starting[vertex]
            clear &= ~table.reaching[vertex]
        after = replace(
            state,
            walls=(*state.walls, wall),
            untouched=state.untouched & ~fresh,
            rooted=rooted,
            clear=clear,
            mover=state.next_seat(),
        )
        if after.untouched:
            return after
        sections = plan(state.size, after.walls)
        count = len(sections.sections)
        return replace(after, plan=sections, owners=(None,) * count, unfilled=(1 << count) - 1)

    def leave(self, state: MazeState, seat: Seat) -> MazeState:
        left = replace(state, gone=state.gone | {seat})
        return replace(left, mover=left.next_seat()) if seat == state.mover else left

    def scores(self, state: MazeState) -> tuple[int, ...]:
        return state.points

    def winners(self, state: MazeState) -> tuple[Seat, ...] | None:
        if not state.over:
            return None
        return leaders(state.points, state.gone)

    def position(self, state: MazeState) -> Hashable:
        newest = state.string[-1] if state.string else None
        filler = None if newest is None else state.owners[newest]
        return (
            (state.size, state.mover, frozenset(state.walls), state.points, state.gone),
            (state.unfilled, newest, filler),
        )

    def canonical(self, state: MazeState) -> object:
        # Who is on turn, and with how many points, is left out: the choices and what they bring are the same.
        images = [
            sorted(image) for image in zip(*(_turned(state.size, wall) for wall in state.walls), strict=True)
        ]
        drawn = min(images, default=[])
        if state.plan is None:
            return drawn
        corners = [section.corner_sum for section in state.plan.sections]
        parts = members(state.unfilled, corners), [corners[state.string[-1]]] if follow(state) else []
        width = state.size * state.plan.sections[0].parts
        return drawn, min(
            [sorted(_turned_sum(it, width, number) for it in part) for part in parts]
            for number, image in enumerate(images)
            if image == drawn
        )

    def observe(self, state: MazeState, seat: Seat | None) -> MazeView:
        sections = () if state.plan is None else state.plan.sections
        return MazeView(
            size=state.size,
            walls=state.walls,
            untouched=members(state.untouched, walls(state.size).vertices),
            sections=tuple(
                SectionView(section.corners, section.centre, owner)
                for section, owner in zip(sections, state.owners, strict=True)
            ),
            choices=tuple(number + 1 for number in open_sections(state)),
            strings=tuple(tuple(number + 1 for number in string) for string in state.strings),
            ended=bool(state.string) and not follow(state),
            points=state.points,
            gone=state.gone,
        )

    def prompt(self, state: MazeState, seat: Seat) -> NumberPrompt | SegmentPrompt:
        choices = tuple(self.format(move) for move in self.legal(state))
        if state.plan is None:
            free = state.untouched.bit_count()
            ask = f"Draw a wall from a golden dot to a free point ({free} left)."
            if free == 1:
                ask = "Draw a wall from a golden dot to the last free point. It completes the maze."
            return SegmentPrompt(ask, choices[0], choices, noun="wall")
        ask = "The string has ended. Fill any empty section to begin a new one."
        if not state.strings:
            ask = (
                "The maze is complete. Fill any section to begin a string, which you continue in turns. Its last"
                " section scores a point."
            )
        if follow(state):
            ask = (
                f"Continue the string: fill a golden section next to {state.string[-1] + 1}. A dead end scores a"
                " point."
            )
        return NumberPrompt(ask, choices[0], choices, green="Green buttons are dead ends.")


@cache
def _turned(size: int, wall: Wall) -> tuple[int, ...]:
    """Return a number for a wall on each rotated or mirrored board; both directions of a wall have the same number."""
    start, end = (vertex.row * (size + 1) + vertex.column for vertex in wall)
    ends = ((turn[start], turn[end]) for turn in board_turns(size + 1, size + 1))
    return tuple(min(pair) * (size + 1) ** 2 + max(pair) for pair in ends)


def _turned_sum(corners: tuple[int, int, int], width: int, number: int) -> tuple[int, int, int]:
    """Return the `corner_sum` of a section after a turn of the board, by the number of the turn in `board_turns`."""
    count, x, y = corners
    x = count * width - x if number & 1 else x
    y = count * width - y if number & 2 else y
    return (count, y, x) if number & 4 else (count, x, y)


def _lengthened(state: MazeState, number: int) -> tuple[tuple[int, ...], ...]:
    """Return the strings once a section is filled: it goes on with the newest one, or begins another."""
    if follow(state):
        return (*state.strings[:-1], (*state.string, number))
    return (*state.strings, (number,))


def _read_wall(state: MazeState, text: str, example: Callable[[], str]) -> Wall:
    """Return the wall that the text means, from the touched end; one end will do where only one wall is possible."""
    match read_cells(text, example):
        case [one]:
            readings = [wall for wall in segments(state) if one in wall]
            if len(readings) > 1:
                raise Ambiguous(text, map(str, readings))
            if readings:
                return readings[0]
        case [start, end]:
            wall, back = Wall(start, end), Wall(end, start)
            turn = state.rooted & walls(state.size).alone.get(back, 0) and not touched(state, start)
            return back if turn else wall
    raise Unreadable(f"{shown(text)} is no wall; name its two ends, like `{example()}`.")
