"""A stored match, replayed, with the moves that count, its seals and the judgement of a move.

The stored log only grows: a takeback is an entry that says how many plies count from there on. So `(match, ply)` guards
takebacks as it guards moves, and a button of a position that was taken back never fits another position. The plies that
still count are the match and its record.

Positions are remembered for a while, so that one press replays a match at most once. A position depends on nothing but
the setup and the log, so a remembered one is never out of date.

The hash of each sealed move is shown at once, and the hashed text when all are opened. With both, anybody can check
that the move was not changed in between. The salt keeps the hash from being guessed, because there are few enough moves
to try them all, and from showing that two players have sealed the same.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from threading import Lock

from bot.app.errors import Refused
from db.values.matches import NEAR, Outcome, PositionKeys, StoredMatch
from db.values.members import TEAMS, Member, is_computer
from db.values.places import DiscordId
from db.values.posts import Post
from db.values.servers import ServerSettings
from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import LEAVING, Match, Observation, Ply, Setup
from rules.games import find
from rules.players.choose import find_player

REMEMBERED = 2048
"""Positions of all matches together, the least recently used are forgotten first; a few kilobytes each."""

_remembered: OrderedDict[tuple[Setup, tuple[Ply, ...]], Match] = OrderedDict()
_lock = Lock()
"""Positions are also asked for in threads."""


def position(setup: Setup, log: Sequence[Ply]) -> Match:
    """Return the match that a log leads to, equal to `Match.replay`. Raises whatever `Match.replay` raises.

    Only what follows the longest remembered beginning of the log is played.
    """
    plies = tuple(log)
    length = len(plies)
    while (match := _recall(setup, plies[:length])) is None and length:
        length -= 1
    if match is None:
        match = Match.replay(find(setup.game), setup, ())
        remember(setup, match)
    for ply in plies[length:]:
        match = match.play(*ply)
        remember(setup, match)
    return match


def position_keys(match: Match, *, rated: bool) -> PositionKeys:
    """Return what is stored of the position of a match, so that others at the same position are found."""
    log, faced = match.log, tuple[str | None, ...]()
    before = [position(match.setup, log[: len(log) - back]) for back in range(1, min(NEAR, len(log)) + 1)]
    hidden = match.game.secret(match.state)
    if rated and (hidden or match.secrets):
        due = match.to_move if hidden else ()
        faced = tuple(
            find_player(match.game).faced(match, seat) if seat in due else None
            for seat in range(match.setup.players)
        )
    return PositionKeys(tuple(stage.position_key for stage in (match, *before)), faced)


def _recall(setup: Setup, log: tuple[Ply, ...]) -> Match | None:
    with _lock:
        match = _remembered.get((setup, log))
        if match is not None:
            _remembered.move_to_end((setup, log))
        return match


def remember(setup: Setup, match: Match) -> None:
    """Remember a match with what was computed of it, such as its key. `setup` is as it is stored."""
    with _lock:
        _remembered[setup, match.log] = match
        if len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)


def forget_positions() -> None:
    """Start again with nothing remembered; for tests that count replays."""
    with _lock:
        _remembered.clear()


_BACK = re.compile(r"back to (?P<plies>[0-9]+)")


def back_to(plies: int) -> Ply:
    """Return the entry after which only the first `plies` plies still count."""
    return Ply(None, f"back to {plies}")


def back(entry: Ply) -> int | None:
    """Return the number of plies that count after this entry; None if it is not a takeback."""
    found = _BACK.fullmatch(entry.text) if entry.seat is None else None
    return int(found["plies"]) if found else None


def counting(log: Sequence[Ply]) -> tuple[int, ...]:
    """Return the indices in a stored log of the plies that count."""
    if all(seat is not None for seat, _ in log):
        return tuple(range(len(log)))  # Nobody has taken back anything, as in most matches.
    kept: list[int] = []
    for index, entry in enumerate(log):
        plies = back(entry)
        if plies is None:
            kept.append(index)
        else:
            del kept[plies:]
    return tuple(kept)


def target(match: Match, seat: Seat) -> int:
    """Return the number of plies that remain when `seat` takes back its last move and everything after it.

    A move that was the only legal one was no choice, so the one before is taken back with it. Raises Refused if a
    takeback is impossible, even with consent.
    """
    plies = _last_choice(match, seat)
    if plies is None:
        raise Refused("You have not moved yet, so there is nothing to take back.")
    for index in range(plies, len(match.log)):
        who, text = match.log[index]
        if index in match.secrets:
            raise Refused("Secret moves, and moves that were revealed, cannot be taken back.")
        if who is None:
            raise Refused("Chance has acted since your move; that cannot be taken back.")
        if text in LEAVING:
            raise Refused("Somebody has left since your move; that cannot be taken back.")
    return plies


def _last_choice(match: Match, seat: Seat) -> int | None:
    """Return the index of the last ply of `seat` at which it had a choice; None if it never had one."""
    own = [index for index, (who, text) in enumerate(match.log) if who == seat and text not in LEAVING]
    return next((index for index in reversed(own) if _choice(position(match.setup, match.log[:index]))), None)


def _choice(match: Match) -> bool:
    moves = match.legal()
    return moves is None or len(moves) > 1


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match as it is stored and as it stands: moves that were taken back are stored, but not part of the match."""

    stored: StoredMatch
    match: Match
    _observed: dict[Seat | None, Observation] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, stored: StoredMatch) -> "LoadedMatch":
        return cls(stored, position(stored.setup, [stored.log[index] for index in counting(stored.log)]))

    @property
    def id(self) -> int:
        return self.stored.id

    @property
    def name(self) -> str:
        """The name by which people tell it from other games: `Alaric #17`. The position of a lesson has no number."""
        return self.match.game.sheet.of_match(self.id)

    def observe(self, seat: Seat | None) -> Observation:
        """Return what `seat` (None: a spectator) may see. It is computed once, as a board needs it several times."""
        if seat not in self._observed:
            self._observed[seat] = self.match.observe(seat)
        return self._observed[seat]

    @property
    def plies(self) -> int:
        """The number of stored entries, hidden and taken-back ones included: the index of the next one."""
        return len(self.stored.log)

    @property
    def shown(self) -> int:
        """The number of entries that everybody may know of. Boards and buttons carry it; it only ever grows."""
        return self.plies - len(self._unseen)

    def since(self, shown: int) -> tuple[Ply, ...]:
        """Return the entries that everybody may know of, without the first `shown`.

        Texts of hidden plies are included.
        """
        log = self.stored.log
        if not self._unseen:
            return log[shown:]
        counts = counting(log)
        hidden = {counts[index] for index in self._unseen}
        return tuple(entry for index, entry in enumerate(log) if index not in hidden)[shown:]

    def only_hidden_since(self, post: Post) -> bool:
        """Return True if moves were made since a public board had this post shown, and all of them are hidden.

        In a vote game it is False if volunteers have changed, too: each entry raises the version of the post once.
        """
        if post.message is None or post.progress >= self.plies:
            return False
        more = post.shown is None or post.version - post.shown > self.plies - post.progress
        return self.back_to(post.progress).shown == self.shown and not (more and self.team is not None)

    @property
    def waited_since(self) -> datetime:
        """The time of the last entry that everybody may know of, or that of the beginning."""
        hidden = {counting(self.stored.log)[index] for index in self._unseen}
        times = (at for index, at in enumerate(self.stored.times) if index not in hidden)
        return max(times, default=self.stored.started_at)

    @property
    def _unseen(self) -> frozenset[int]:
        """The indices in the match's log of the moves of which others may not know that they were made."""
        return frozenset() if self.match.revealed else self.match.unseen

    @property
    def taken_back(self) -> bool:
        """Return True if the last entry is a takeback."""
        return bool(self.stored.log) and back(self.stored.log[-1]) is not None

    @property
    def conditional(self) -> tuple[int, ...]:
        """The indices in the match's log of the moves that were entered before the others moved."""
        counts = counting(self.stored.log) if self.stored.conditional else ()
        return tuple(index for index, entry in enumerate(counts) if entry in self.stored.conditional)

    @property
    def taken_over(self) -> bool:
        """Return True if the last entry lets a computer player play on in the seat of a player who had left."""
        before = counting(self.stored.log[:-1])
        undone = before[back(self.stored.log[-1]) or 0 :] if self.taken_back else ()
        return any(self.stored.log[index].text in LEAVING for index in undone)

    @property
    def voided(self) -> bool:
        """Return True if a moderator reverted the result of the match."""
        return self.stored.void is not None and bool(self.match.winners)

    @property
    def secret(self) -> bool:
        """Return True if moves are secret now: only the player sees their own."""
        return not self.match.over and self.match.game.secret(self.match.state)

    @property
    def waiting_for(self) -> tuple[DiscordId, ...]:
        """The members whose turn it is."""
        return tuple(self.stored.users[seat] for seat in self.match.to_move if seat is not None)

    @property
    def computer_on_turn(self) -> Seat | None:
        """The first seat on turn that a computer player has, or None."""
        on_turn = (seat for seat in self.match.to_move if seat is not None)
        return next((seat for seat in on_turn if is_computer(self.stored.users[seat])), None)

    @property
    def between_servers(self) -> bool:
        """True for a game of a match between servers: its board has a copy in the other server."""
        return self.stored.context.copied and self.team is None

    @property
    def team(self) -> DiscordId | None:
        """The player of TEAMS for whom members vote now, or who is not on turn; None if the match is no vote game."""
        teams = [user for user in self.stored.users if user in TEAMS]
        return next((user for user in teams if user in self.waiting_for), next(iter(teams), None))

    def seat_of(self, user: DiscordId) -> Seat | None:
        return self.stored.users.index(user) if user in self.stored.users else None

    def moved_by(self, user: DiscordId) -> Seat | None:
        """Return the seat for which a member has just moved: their own, or in a vote game that of the last entry."""
        return self.seat_of(user) if self.team is None else self.stored.log[-1].seat

    def chosen_by(self, user: DiscordId) -> Member | None:
        """Return the preferences of a player read with the match; None for others, and in an exercise."""
        seat, members = self.seat_of(user), self.stored.context.members
        return members[seat] if seat is not None and members else None

    @property
    def server(self) -> ServerSettings:
        """The settings of the server as they were read with the match; the defaults in direct messages."""
        return self.stored.context.server

    def back_to(self, plies: int) -> "LoadedMatch":
        """Return the match after that many entries. It has no clocks, since their past states are not stored."""
        return LoadedMatch.of(replace(self.stored, log=self.stored.log[:plies], clocks=()))


def name_of(game: str, match: int) -> str:
    """Return the name of a match of the game with this key, such as `Palindromes #17`."""
    return find(game).sheet.of_match(match)


def outcomes(match: Match) -> tuple[Outcome, ...] | None:
    """Return the outcome for each seat; None while the match goes on, or if it was broken off."""
    winners = match.winners
    if not winners:
        return None
    best = Outcome.WON if len(winners) == 1 else Outcome.DRAWN
    return tuple(best if seat in winners else Outcome.LOST for seat in range(match.setup.players))


class IllegalMove(Illegal):
    """The referee refused a move of `seat`, which is on turn at `loaded`; `move` is its canonical text."""

    def __init__(self, loaded: LoadedMatch, seat: Seat, move: str, refusal: Illegal) -> None:
        super().__init__(str(refusal), rule=refusal.rule, marks=refusal.marks)
        self.loaded = loaded
        self.seat = seat
        self.move = move


def judged(loaded: LoadedMatch, seat: Seat, text: str) -> Match:
    """Return the match after a seat on turn has played. Raises RuleError, and IllegalMove for a readable move."""
    try:
        return loaded.match.play(seat, text)
    except Illegal as refusal:
        raise IllegalMove(loaded, seat, loaded.match.reading(seat, text), refusal) from None


DIGITS = 64
"""Hexadecimal digits of a hash."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of a move of `seat`: the SHA-256 of `text` in DIGITS digits.

    `text` is the salt, a space and the move as the record has it; None until the seal is opened.
    """

    seat: Seat
    digest: str
    text: str | None


def seals(loaded: LoadedMatch) -> tuple[Seal, ...]:
    """Return the seals of the latest round of sealed moves, in the order in which they were made."""
    return tuple(seal for ply in loaded.match.sealed if (seal := _seal(loaded, ply)) is not None)


def _seal(loaded: LoadedMatch, ply: int) -> Seal | None:
    """Return the seal of a ply; None for a move that was made before there were seals."""
    salt, (seat, move) = loaded.stored.salts[counting(loaded.stored.log)[ply]], loaded.match.log[ply]
    if salt is None or seat is None:
        return None
    text = f"{salt} {move}"
    return Seal(seat, sha256(text.encode()).hexdigest(), text if loaded.match.opened else None)
