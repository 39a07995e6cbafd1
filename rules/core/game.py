"""The contract that every game fulfils: frozen states, pure functions, the vocabulary of OpenSpiel."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform, overload

from rules.core.errors import BadSetup, figure, shown
from rules.core.prompt import Prompt

State = TypeVar("State")
Move = TypeVar("Move")

Kind = TypeVar("Kind")
Value = TypeVar("Value")

Seat = int
"""Seats count from 0; seat 0 begins."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[Kind]) -> type[Kind]:
    """Make a class a frozen dataclass.

    mypy refuses a change of its fields. While a program runs nothing does, since guarding them makes a state of a game
    cost five times as much, and a random game makes some thirty of them.
    """
    return dataclass(unsafe_hash=True)(kind)


class kept(Generic[Value]):  # noqa: N801 - a decorator, like `property`
    """A property that is worked out when it is first asked for. Like `cached_property`, without its lock."""

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self.work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "kept[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> "kept[Value] | Value":
        if instance is None:
            return self
        value = self.work_out(instance)
        setattr(instance, self.name, value)
        return value


@dataclass(frozen=True, slots=True)
class Option:
    """A number that shapes the board, from `low` to `high` inclusive."""

    key: str
    default: int
    low: int
    high: int
    says: str
    extra: bool = False
    """True if it is about the rules, not about the board. Members may leave it out: they then get the value of the
    standard size, which is not always the default, the value of records without it."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules for players, in our words, and where the game comes from."""

    title: str
    author: str
    year: int
    place: str
    """The newsgroup, book or blog where it was published, and who published it."""
    pitch: str
    """One line that invites to play, of at most 100 characters, so that menus show it whole."""
    goal: str
    play: tuple[str, ...]
    end: str
    example: str
    house: tuple[str, ...] = ()
    """House rulings: everything that the source leaves open and we settle, or that goes beyond it."""
    tribute: str = ""
    """The name under which a loser's losses are counted, if the game's story has one."""
    short: str = ""
    """The title in at most 16 letters, if the title is longer."""

    @property
    def name(self) -> str:
        """Return the title in at most 16 letters."""
        return self.short or self.title

    def of_match(self, number: int) -> str:
        """Return the name of a match of the game, such as `Palindromes #17`, which fits a line on a phone.

        A position that is no stored match has the number 0, and the title of its game as its name.
        """
        return f"{self.name} #{number}" if number else self.title


class Game(ABC, Generic[State, Move]):
    """One game. Instances hold no state; every method is a pure function of its arguments.

    `State` is frozen and hashable. A move is a small frozen value with one canonical text.
    """

    key: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised when a change of rules would replay an old record differently."""
    sheet: ClassVar[Sheet]
    options: ClassVar[tuple[Option, ...]]
    sizes: ClassVar[Mapping[str, Mapping[str, int]]]
    """Named sizes, the smallest board first. One is `standard`; its values need not be the defaults of the options."""
    seats: ClassVar[tuple[int, int]] = (2, 2)
    """The fewest and the most players."""
    usual_points: ClassVar[int] = 0
    """The points that each move wins its player, whatever else it does: 1 where the stones on the board count."""
    sealed: ClassVar[frozenset[str]] = frozenset()
    """Phases in which each seat on turn commits itself by one secret move; when the last has, all are opened."""

    @abstractmethod
    def start(self, options: Mapping[str, int], players: int) -> State:
        """Return the first state. `options` holds a checked value for every option."""

    @abstractmethod
    def to_move(self, state: State) -> tuple[Seat | None, ...]:
        """Return the seats that may act now, ascending; (None,) for chance, () when the game is over."""

    def phase(self, state: State) -> str:
        """Return one word for the part of the game, for programs."""
        return "play"

    @abstractmethod
    def legal(self, state: State) -> tuple[Move, ...] | None:
        """Return all legal moves in board order; None where moves are secret or chance; () when the game is over."""

    def puzzling(self, state: State) -> tuple[Move, ...]:
        """Return illegal moves that look as if they were legal, in board order: players may ask for the reasons."""
        return ()

    def chances(self, state: State) -> tuple[tuple[Move, int], ...]:
        """Return the moves of chance, each with its weight out of the sum of all; () where chance is not to move."""
        return ()

    @abstractmethod
    def parse(self, state: State, seat: Seat | None, text: str) -> Move:
        """Return the move that `seat` means by `text`, legal or not.

        Raises Unreadable or Ambiguous.
        """

    def format(self, move: Move) -> str:
        """Return the canonical text of a move; `parse` gives the same move back."""
        return str(move)

    @abstractmethod
    def apply(self, state: State, seat: Seat | None, move: Move) -> State:
        """Return the state after `seat`, which is on turn, plays `move`.

        Raises Illegal with the rule that is broken; never half-done, since the old state is untouched.
        """

    def secret(self, state: State) -> bool:
        """Return True if moves that are played now stay hidden from other seats until the match is over.

        `legal` is then None. The record holds such moves. Others observe only that they were made, and not even
        that while the same seats stay on turn.
        """
        return False

    def leave(self, state: State, seat: Seat) -> State:
        """Return the state after `seat` has left while two or more play on. With two players the match just ends."""
        return state

    def scores(self, state: State) -> tuple[int, ...] | None:
        """Return the points per seat, or None for a game without a score and while the score cannot be known."""
        return None

    def points_so_far(self, state: State) -> tuple[int, ...] | None:
        """Return the points per seat that the board shows now, also where `scores` waits for the end of the game."""
        return self.scores(state)

    @abstractmethod
    def winners(self, state: State) -> tuple[Seat, ...] | None:
        """Return the seats that share the best result once the game has been played out, else None."""

    def position(self, state: State) -> Hashable:
        """Return the state without how it was reached: where positions are equal, play goes on alike.

        Repetitions may be left out.
        """
        return state

    def canonical(self, state: State) -> object:
        """Return a value that is equal for positions that are the same on a rotated or mirrored board.

        Positions with different best moves have different values. `Match.position_key` is a number for this value.
        """
        return self.position(state)

    @abstractmethod
    def observe(self, state: State, seat: Seat | None) -> object:
        """Return the board as `seat` may see it (None: a spectator): a frozen value of the game's own view type.

        Pictures and texts are given nothing else, so it must hold nothing that `seat` must not know.
        """

    @abstractmethod
    def prompt(self, state: State, seat: Seat) -> Prompt:
        """Return the prompt for `seat`, which is on turn."""

    def check(self, options: Mapping[str, int], players: int) -> dict[str, int]:
        """Return `options`, completed with the defaults, in the declared order. Raises BadSetup."""
        known = {option.key: option for option in self.options}
        for key in options:
            if key not in known:
                choice = " and ".join(known)
                raise BadSetup(f"{self.sheet.title} has no option {shown(key)}; it has {choice}.")
        fewest, most = self.seats
        if not fewest <= players <= most:
            span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise BadSetup(f"{self.sheet.title} is for {span} players, not {figure(players)}.")
        full = {option.key: options.get(option.key, option.default) for option in self.options}
        for option in self.options:
            if not option.low <= full[option.key] <= option.high:
                raise BadSetup(
                    f"{option.key} must be from {option.low} to {option.high} in {self.sheet.title},"
                    f" not {figure(full[option.key])}."
                )
        return full


def next_seat(seat: Seat, players: int, gone: Container[Seat] = ()) -> Seat:
    """Return the seat that follows `seat` in turn, without those that are `gone`; `seat` itself if no other is left."""
    following = (seat + 1) % players
    while following in gone and following != seat:
        following = (following + 1) % players
    return following


def leaders(points: Sequence[int], gone: Container[Seat] = ()) -> tuple[Seat, ...]:
    """Return the seats with the most points, without those that are `gone`; ascending, since they share the win."""
    playing = [seat for seat in range(len(points)) if seat not in gone]
    most = max(points[seat] for seat in playing)
    return tuple(seat for seat in playing if points[seat] == most)
