"""The Amazon Skull Game: C. Pickover, "Computers and the Imagination"; posted by John Hallyburton, 1993."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules.core.errors import Illegal
from rules.core.game import Game, Option, Seat, Sheet, frozen, kept
from rules.core.lattice import board_turns, cells, check_on_board, in_board_order, neighbours
from rules.core.notation import Cell, read_cell
from rules.core.prompt import CellPrompt, Step, StepPrompt


@frozen
class SkullState:
    """The board and the path of skulls on it, from one end to the other; `last` is the newest skull."""

    width: int
    height: int
    path: tuple[Cell, ...] = ()
    last: Cell | None = None

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The two ends of the path, one cell while there is one skull, nothing before."""
        return (self.path[0], self.path[-1]) if len(self.path) > 1 else self.path

    @property
    def mover(self) -> Seat:
        return len(self.path) % 2

    @kept
    def choices(self) -> tuple[Cell, ...]:
        """The cells that may be taken, in board order: those beside just one skull, which is an end of the path."""
        if not self.path:
            return cells(self.width, self.height)
        skulls, beside = frozenset(self.path), neighbours(self.width, self.height)
        near = [cell for end in self.ends for cell in beside[end] if cell not in skulls]
        return tuple(in_board_order([cell for cell in near if len(skulls & beside[cell]) == 1]))


@dataclass(frozen=True, slots=True)
class SkullView:
    """The view of everyone: the board, the path in order, its ends, the cells that may be taken, the newest skull."""

    width: int
    height: int
    path: tuple[Cell, ...]
    ends: tuple[Cell, ...]
    choices: tuple[Cell, ...]
    last: Cell | None


class Skull(Game[SkullState, Cell]):
    """Skulls form one path that never branches and never closes; the player who cannot lengthen it loses."""

    key = "skull"
    sheet = Sheet(
        title="The Amazon Skull Game",
        short="Amazon Skull",
        author="Clifford A. Pickover",
        year=1993,
        place="from his book Computers and the Imagination (p. 355f), posted to rec.games.abstract"
        " by John Hallyburton, 28 February 1993",
        pitch="Lay a path of skulls in the sand. Whoever cannot lengthen it adds a head to the pile.",
        goal="Be the last to lay a skull.",
        play=(
            "The first skull goes on any cell.",
            "Then you take turns to lay one skull that lengthens the path at either of its two ends.",
            (
                "A new skull lies straight beside exactly one skull, and that one is an end of the path; so the path"
                " never branches, never touches itself and never closes."
            ),
        ),
        end="If it is your turn and you cannot lay a skull, you lose.",
        example="With skulls on c3 and c4, both are ends. d4 is fine: it touches c4 only. Next, d3 would"
        " touch both d4 and c3, and that would close a loop, so it is forbidden.",
        house=(
            (
                "Branching is forbidden: the post shows a lost position in which three empty cells touch a skull in the"
                " middle of the path, and nowhere else."
            ),
        ),
        tribute="Skulls donated to the pile",
    )
    options = (
        Option("width", 6, 1, 9, "columns"),
        Option("height", 5, 1, 9, "rows"),
    )
    sizes = MappingProxyType(
        {
            "quick": {"width": 5, "height": 4},
            "standard": {"width": 6, "height": 5},
            "long": {"width": 8, "height": 7},
        }
    )

    def start(self, options: Mapping[str, int], players: int) -> SkullState:
        return SkullState(options["width"], options["height"])

    def to_move(self, state: SkullState) -> tuple[Seat, ...]:
        return (state.mover,) if state.choices else ()

    def legal(self, state: SkullState) -> tuple[Cell, ...]:
        return state.choices

    def puzzling(self, state: SkullState) -> tuple[Cell, ...]:
        """Return the empty cells beside a skull that may not be taken."""
        skulls, beside = frozenset(state.path), neighbours(state.width, state.height)
        near = {cell for skull in skulls for cell in beside[skull]}
        return tuple(in_board_order(near - skulls - frozenset(state.choices)))

    def parse(self, state: SkullState, seat: Seat | None, text: str) -> Cell:
        return read_cell(text, self._example(state))

    def apply(self, state: SkullState, seat: Seat | None, move: Cell) -> SkullState:
        if move not in state.choices:
            raise _refusal(state, move)
        beside = neighbours(state.width, state.height)[move]
        at_last = not state.path or state.path[-1] in beside
        path = (*state.path, move) if at_last else (move, *state.path)
        return SkullState(state.width, state.height, path, move)

    def winners(self, state: SkullState) -> tuple[Seat, ...] | None:
        return None if state.choices else (1 - state.mover,)

    def position(self, state: SkullState) -> Hashable:
        return state.width, state.height, frozenset(state.path), frozenset(state.ends)

    def canonical(self, state: SkullState) -> object:
        path, ends = (
            [cell.row * state.width + cell.column for cell in it] for it in (state.path, state.ends)
        )
        return min(
            (sorted(turn[place] for place in path), sorted(turn[place] for place in ends))
            for turn in board_turns(state.width, state.height)
        )

    def observe(self, state: SkullState, seat: Seat | None) -> SkullView:
        return SkullView(state.width, state.height, state.path, state.ends, state.choices, state.last)

    def prompt(self, state: SkullState, seat: Seat) -> CellPrompt | StepPrompt:
        choices = tuple(str(cell) for cell in state.choices)
        if not state.path:
            return CellPrompt("Lay the first skull on any cell.", choices[0], choices)
        steps = tuple(_step(state, cell) for cell in state.choices)
        around = neighbours(state.width, state.height)
        beside = {cell for end in state.ends for cell in around[end]}
        ask = "Lengthen the path at either end."
        if beside - {*state.path, *state.choices}:
            ask += " Crossed-out cells would make it touch itself."
        return StepPrompt(ask, choices[0], choices, steps)

    def _example(self, state: SkullState) -> str:
        return str(next(iter(state.choices), Cell(0, 0)))


def _refusal(state: SkullState, move: Cell) -> Illegal:
    """Return the reason why no skull may be laid on a cell."""
    check_on_board(move, state.width, state.height)
    if move in state.path:
        return Illegal(
            f"{move} already holds a skull; choose an empty cell.", rule="taken", marks=[str(move)]
        )
    touched = [cell for cell in move.beside() if cell in state.path]
    marks = [str(cell) for cell in touched]
    if not touched:
        return Illegal(f"{move} lies beside no skull; lengthen the path at {_either(state)}.", rule="apart")
    if len(touched) > 1:
        return Illegal(
            f"{move} touches {len(touched)} skulls ({', '.join(marks)}); a new skull may touch only one.",
            rule="touches itself",
            marks=marks,
        )
    return Illegal(
        f"{move} would make the path branch at {touched[0]}; lengthen the path at {_either(state)}.",
        rule="branch",
        marks=marks,
    )


def _step(state: SkullState, cell: Cell) -> Step:
    """Return the step by which a cell that may be taken lengthens the path."""
    end = next(end for end in state.ends if cell in end.beside())
    return Step(end, (cell.column - end.column, cell.row - end.row), str(cell))


def _either(state: SkullState) -> str:
    return " or ".join(str(end) for end in state.ends)
