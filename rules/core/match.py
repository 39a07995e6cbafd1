"""A match: one game being played. It is its record (setup and log), replayed; nothing else is ever stored."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from rules.core.errors import Illegal
from rules.core.game import Game, Seat, frozen, kept
from rules.core.prompt import Prompt

LEAVING = ("resign", "timeout")
"""Texts that a seat still playing may play at any time, also out of turn."""

DRAW = "draw"
"""Played by no seat (None): all seats still playing have agreed to share the result."""

VOID = "void"
"""Played by no seat: the match was broken off, and nobody wins. Hidden moves stay hidden."""

HIDDEN = "…"
"""The text that others see in place of a secret move."""


class Ply(NamedTuple):
    """One entry of the log: a seat (None: chance or agreement) and the canonical text of its move."""

    seat: Seat | None
    text: str


@frozen
class Setup:
    """The start of a match. `options` holds every option of the game, in the game's order."""

    game: str
    options: tuple[tuple[str, int], ...]
    players: int


@frozen
class Observation:
    """Everything that one seat, or a spectator, may see of a match. Pictures and texts are made from this alone.

    `board` is the game's own view type; `plies` counts the moves that the observer has seen made, and `last` is the
    last of them, after `previous`; `prompt` is None unless the observer is on turn.
    """

    title: str
    board: object
    phase: str
    to_move: tuple[Seat | None, ...]
    plies: int
    last: Ply | None
    previous: Ply | None
    scores: tuple[int, ...] | None
    winners: tuple[Seat, ...] | None
    left: tuple[Ply, ...]
    agreed: bool
    prompt: Prompt | None


@frozen
class Match:
    """A position of a match, with the log that led to it. Immutable: `play` answers a new one."""

    game: Game[Any, Any]
    setup: Setup
    log: tuple[Ply, ...]
    state: Any
    left: tuple[Ply, ...] = ()
    agreed: bool = False
    void: bool = False
    secrets: frozenset[int] = frozenset()
    """Indices in the log of the moves that only their own seat may read before the match is over."""
    unseen: frozenset[int] = frozenset()
    """Those secret moves that nobody else sees being made, since the same seats were on turn before and after."""
    sealed: tuple[int, ...] = ()
    """Indices in the log of the moves by which the seats committed themselves, in the latest round of such moves."""
    opened: bool = True
    """True if that round is complete, so that everybody may read its moves."""

    @classmethod
    def start(cls, game: Game[Any, Any], options: Mapping[str, int], players: int) -> "Match":
        """Return a new match. Raises BadSetup."""
        full = game.check(options, players)
        return cls(game, Setup(game.key, tuple(full.items()), players), (), game.start(full, players))

    @classmethod
    def replay(cls, game: Game[Any, Any], setup: Setup, log: Iterable[Ply]) -> "Match":
        """Return the match that a log leads to. Raises BadSetup or whatever `play` raises at the first wrong entry."""
        match = cls.start(game, dict(setup.options), setup.players)
        for seat, text in log:
            match = match.play(seat, text)
        return match

    @kept
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        gone = {seat for seat, _ in self.left}
        return tuple(seat for seat in range(self.setup.players) if seat not in gone)

    @property
    def over(self) -> bool:
        return self.winners is not None

    @property
    def revealed(self) -> bool:
        """True if the match has a result, so that everybody may read the hidden moves."""
        return self.over and not self.void

    @kept
    def winners(self) -> tuple[Seat, ...] | None:
        """The seats that share the best result, none where the match was broken off, None while it goes on."""
        if self.void:
            return ()
        playing = self.playing
        if self.agreed or len(playing) == 1:
            return playing
        return self.game.winners(self.state)

    @kept
    def to_move(self) -> tuple[Seat | None, ...]:
        """The seats that may act now: (None,) means chance, () that the match is over."""
        return () if self.over else self.game.to_move(self.state)

    @kept
    def position_key(self) -> int:
        """A signed 64-bit number that is equal for positions that are the same on a rotated or mirrored board.

        Matches with other setups, or in which other seats have left, have other numbers, except by rare chance.
        """
        return _digest((self.setup, self.playing, self.game.canonical(self.state)))

    @property
    def scores(self) -> tuple[int, ...] | None:
        return self.game.scores(self.state)

    def legal(self) -> tuple[str, ...] | None:
        """Canonical texts of all legal moves in board order; None where they are secret or chance."""
        if self.over:
            return ()
        moves = self.game.legal(self.state)
        return None if moves is None else tuple(map(self.game.format, moves))

    def refusals(self) -> tuple[tuple[str, Illegal], ...]:
        """Return the illegal moves that look legal, as canonical texts, each with the error that playing it raises."""
        found = []
        for move in () if self.over else self.game.puzzling(self.state):
            try:
                self.game.apply(self.state, self.to_move[0], move)
            except Illegal as refusal:
                found.append((self.game.format(move), refusal))
        return tuple(found)

    def play(self, seat: Seat | None, text: str) -> "Match":
        """Return the match after `seat` plays what it typed; the log gets the canonical text.

        Raises Unreadable, Ambiguous or Illegal, and the match stands as it was.
        """
        if self.over:
            raise Illegal("This game is over.", rule="over")
        word = text.strip().lower()
        if seat is None and word == DRAW:
            return replace(self, log=(*self.log, Ply(None, DRAW)), agreed=True, opened=True)
        if seat is None and word == VOID:
            return replace(self, log=(*self.log, Ply(None, VOID)), void=True)
        if seat is not None and word in LEAVING:
            return self._leave(seat, word)
        if seat not in self.to_move:
            raise Illegal(self._whose_turn(seat), rule="turn")
        move = self.game.parse(self.state, seat, text)
        state = self.game.apply(self.state, seat, move)
        index, secrets, unseen = len(self.log), self.secrets, self.unseen
        if self.game.secret(self.state):
            secrets |= {index}
            if self.to_move == self.game.to_move(state):
                unseen |= {index}
        ply = Ply(seat, self.game.format(move))
        after = Match(
            self.game,
            self.setup,
            (*self.log, ply),
            state,
            self.left,
            secrets=secrets,
            unseen=unseen,
            sealed=self.sealed,
            opened=self.opened,
        )
        if seat is None or not self.game.sealed or self.game.phase(self.state) not in self.game.sealed:
            return after
        sealed = (index,) if self.opened else (*self.sealed, index)
        waiting = set(after.to_move)
        return replace(after, sealed=sealed, opened=not waiting or not waiting < set(self.to_move))

    def reading(self, seat: Seat | None, text: str) -> str:
        """Return the canonical text of the move that `seat` means, legal or not. Raises Unreadable or Ambiguous."""
        return self.game.format(self.game.parse(self.state, seat, text))

    def seen(self, seat: Seat | None) -> tuple[Ply, ...]:
        """Return the log as `seat` (None: a spectator) may see it.

        Of others' secret moves the texts are HIDDEN. Those after which the same seats are on turn as before are left
        out: how many there were would tell.
        """
        if not self.secrets or self.revealed:
            return self.log
        seen = []
        for index, (who, text) in enumerate(self.log):
            own = who is not None and who == seat
            if own or index not in self.secrets:
                seen.append(Ply(who, text))
            elif index not in self.unseen:
                seen.append(Ply(who, HIDDEN))
        return tuple(seen)

    def observe(self, seat: Seat | None) -> Observation:
        """Return everything that `seat` (None: a spectator) may see."""
        on_turn = seat is not None and seat in self.to_move
        seen = self.seen(seat)
        return Observation(
            title=self.game.sheet.title,
            board=self.game.observe(self.state, seat),
            phase=self.game.phase(self.state),
            to_move=self.to_move,
            plies=len(seen),
            last=seen[-1] if seen else None,
            previous=seen[-2] if len(seen) > 1 else None,
            scores=self.scores,
            winners=self.winners,
            left=self.left,
            agreed=self.agreed,
            prompt=self.game.prompt(self.state, seat) if on_turn and seat is not None else None,
        )

    def _leave(self, seat: Seat, word: str) -> "Match":
        playing = self.playing
        if seat not in range(self.setup.players):
            raise Illegal(self._no_such_seat(), rule="turn")
        if seat not in playing:
            raise Illegal(f"{_seat(seat)} is not playing any more.", rule="left")
        ply = Ply(seat, word)
        state = self.state if len(playing) <= 2 else self.game.leave(self.state, seat)
        after = replace(self, log=(*self.log, ply), state=state, left=(*self.left, ply))
        waiting = set(after.to_move)
        return replace(after, opened=self.opened or not waiting or not waiting <= set(self.to_move))

    def _whose_turn(self, seat: Seat | None) -> str:
        turn = self.game.to_move(self.state)
        due = " and ".join(_seat(other) for other in turn)
        if seat is not None and seat not in range(self.setup.players):
            return self._no_such_seat()
        return f"It is not {_seat(seat)}'s turn but {due}'s."

    def _no_such_seat(self) -> str:
        return f"There is no such seat: the {self.setup.players} seats count from 0."


def _seat(seat: Seat | None) -> str:
    return "chance" if seat is None else f"seat {seat}"


def _digest(value: object) -> int:
    """Return a signed 64-bit number for a value. Equal values have the same number in every process and version.

    The value consists of numbers, texts, None, dataclasses and collections of these.
    """
    found = hashlib.blake2b(repr(_plain(value)).encode(), digest_size=8).digest()
    return int.from_bytes(found, "big", signed=True)


def _plain(value: Any) -> object:
    """Return a value as nested lists, with the members of sets and mappings in a fixed order."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Mapping):
        return sorted(([_plain(key), _plain(it)] for key, it in value.items()), key=repr)
    if isinstance(value, Set):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, Collection):
        return list(map(_plain, value))
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value) if field.compare]
    raise TypeError(f"{type(value)} has no plain form")
