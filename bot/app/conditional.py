"""Conditional moves: answers that members enter before the others have moved, and that are played for them.

A variation is followed along the log of its match. It is deleted when something else happens than it foresees: another
move, a takeback, or a player who leaves.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from bot.app.errors import Refused
from bot.app.matches.exercise import Exercise
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.matches.move_log import TimeIsOver
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.matches import MovedOn, Variation, VariationsChanged
from db.values.members import is_computer
from db.values.places import DiscordId
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import Match, Ply

log = structlog.get_logger()

MOST = 20
"""The most variations of one member in one match."""
LONGEST = 10
"""The most moves of a variation."""
MOST_UNTOLD = 10_000
"""The most members and matches that are remembered until the members are told that their moves were dropped."""

Moves = tuple[str, ...]
"""Canonical texts of moves in a row."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """A position that a member foresees in a running match after some `moves`, and all their variations there.

    The variations have the moves that are still to come.
    """

    loaded: LoadedMatch
    seat: Seat
    variations: tuple[Variation, ...]
    moves: Moves = ()

    @property
    def user(self) -> DiscordId:
        return self.loaded.stored.users[self.seat]

    @property
    def ahead(self) -> LoadedMatch:
        """The match as it would stand."""
        return after_moves(self.loaded, self.moves)

    @property
    def number(self) -> int:
        """The id of a variation that leads to the position; 0 for the position in which the match stands."""
        found = (it.id for it in self.variations if it.moves[: len(self.moves)] == self.moves)
        return next(found, 0) if self.moves else 0

    @property
    def before(self) -> Moves:
        """The moves to the position before, in which another player chooses a move."""
        moves = self.moves[:-1]
        while moves and self._mine(moves):
            moves = moves[:-1]
        return moves

    @property
    def answered(self) -> "Foresight":
        """The position after the answers that the member has entered to this one already."""
        found = self
        while found._mine(found.moves):
            length = len(found.moves)
            beyond = (it.moves for it in self.variations if it.moves[:length] == found.moves)
            further = next((it for it in beyond if len(it) > length), None)
            if further is None:
                break
            found = replace(found, moves=further[: length + 1])
        return found

    @property
    def open(self) -> bool:
        """True if a further move can be foreseen here."""
        return len(self.moves) < LONGEST and foreseeable(self.ahead.match)

    def with_move(self, text: str) -> tuple[Moves, ...]:
        """Return the moves of all variations, and of the one that leads to the position after this move.

        Moves to which the member has entered no answer are left out elsewhere. Raises Refused.
        """
        new = (*self.moves, text)
        answered = self._mine(self.moves) and any(
            it.moves[: len(self.moves)] == self.moves and len(it.moves) > len(self.moves)
            for it in self.variations
        )
        if answered:
            raise Refused("You have entered an answer to that already; remove it first.")
        return grown([it.moves for it in self.variations], new, lambda moves: not self._mine(moves[:-1]))

    def movers(self, moves: Moves) -> list[Seat | None]:
        """Return the seats that make these moves, which begin in the position of the match."""
        found, at = [], self.loaded
        for text in moves:
            found.append(at.match.to_move[0])
            at = after_moves(at, (text,))
        return found

    def _mine(self, moves: Moves) -> bool:
        """Return True if the member is on turn after these moves."""
        return after_moves(self.loaded, moves).match.to_move == (self.seat,)


def grown(known: Iterable[Moves], new: Moves, unanswered: Callable[[Moves], bool]) -> tuple[Moves, ...]:
    """Return variations and a new one, without those that are the beginning of another.

    The last moves of each known variation that are `unanswered` are cut off. The function is given the moves up to and
    with the one in question.
    """
    found = []
    for moves in known:
        while moves and moves != new[: len(moves)] and unanswered(moves):
            moves = moves[:-1]
        found.append(moves)
    distinct = list(dict.fromkeys((*found, new)))
    return tuple(it for it in distinct if not any(len(it) < len(o) and o[: len(it)] == it for o in distinct))


def rest_of(variation: Variation, entries: Sequence[Ply]) -> Moves:
    """Return the moves of a variation that are still to come in a match with this log; () if the match has left it."""
    since = entries[variation.plies :]
    if any(entry.seat is None for entry in since):
        return ()
    made = tuple(entry.text for entry in since)
    return variation.moves[len(made) :] if variation.moves[: len(made)] == made else ()


def foreseeable(match: Match) -> bool:
    """Return True if exactly one seat is on turn, and everybody may know its legal moves."""
    return len(match.to_move) == 1 and match.to_move[0] is not None and match.legal() is not None


def after_moves(loaded: LoadedMatch, moves: Iterable[str]) -> LoadedMatch:
    """Return a match as it would stand after moves of the seats on turn. It has no clocks."""
    for text in moves:
        entry = Ply(loaded.match.to_move[0], text)
        loaded = LoadedMatch.of(replace(loaded.stored, log=(*loaded.stored.log, entry), clocks=()))
    return loaded


class ForeseenMove(Exercise):
    """A move that a member enters for the seat on turn in a position that they foresee."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, foresight: Foresight) -> None:
        self.foresight = foresight
        self.refusal: IllegalMove | None = None
        start = foresight.ahead.match
        mover = start.to_move[0]
        assert mover is not None
        super().__init__(store, clock, chance, start, mover, foresight.user)

    @property
    def tried(self) -> bool:
        return bool(self.entries) or self.refusal is not None

    def played(self, before: Match, after: Match) -> None:
        """Nothing is judged: `ConditionalMoves.enter` stores the move."""

    def refused(self, refusal: IllegalMove) -> None:
        self.refusal = refusal

    def _on_turn(self, loaded: LoadedMatch, user: DiscordId, plies: int | None) -> Seat:
        if plies is not None and plies != loaded.shown:
            raise Refused("This is another position now; go on from here.")
        return self.seat

    def _after(self, *entries: Ply) -> LoadedMatch:
        return after_moves(self.foresight.loaded, (*self.foresight.moves, *(text for _, text in entries)))


class ConditionalMoves:
    """The service of conditional moves. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._matches = matches
        self._dropped: set[tuple[int, DiscordId]] = set()

    def tell_dropped(self, match: int, user: DiscordId) -> bool:
        """Return True once after all conditional moves of a member in a match were dropped without being played.

        This is remembered in memory only.
        """
        untold = (match, user) in self._dropped
        self._dropped.discard((match, user))
        return untold

    def offered(self, loaded: LoadedMatch, user: DiscordId) -> bool:
        """Return True if a member can enter conditional moves in a match now."""
        return loaded.seat_of(user) in loaded.match.playing and _obstacle(loaded, user) is None

    async def look(self, match: int, user: DiscordId, number: int = 0, length: int = 0) -> Foresight:
        """Return the position after the first `length` moves of a variation; 0 is the position of the match.

        It is the position of the match, too, if the member has no such variation any more.
        """
        loaded, seat = await self._matches.playing(match, user)
        if (obstacle := _obstacle(loaded, user)) is not None:
            raise Refused(obstacle)
        known = (
            replace(it, plies=loaded.plies, moves=rest_of(it, loaded.stored.log))
            for it in await self._store.variations.of_match(match)
            if it.user == user
        )
        found = Foresight(loaded, seat, tuple(it for it in known if it.moves))
        moves = next((it.moves for it in found.variations if it.id == number), ())
        return replace(found, moves=moves[:length])

    async def entering(self, match: int, user: DiscordId, number: int, length: int) -> ForeseenMove:
        """Return the position after the first `length` moves of a variation, in which a move can be entered."""
        found = await self.look(match, user, number, length)
        if not found.open:
            raise Refused("No further move can be entered here; go back, or begin with another move.")
        return ForeseenMove(self._store, self._clock, self._chance, found)

    async def enter(self, foreseen: ForeseenMove) -> Foresight:
        """Store the move that was entered, and return the position after it and the answers that are known there."""
        at, text = foreseen.foresight, foreseen.entries[-1].text
        moves = (*at.moves, text)
        if not any(it.moves[: len(moves)] == moves for it in at.variations):
            await self._change(at, at.with_move(text))
        found = await self.look(at.loaded.id, at.user)
        return replace(found, moves=moves).answered if found.loaded.plies == at.loaded.plies else found

    async def remove(self, match: int, user: DiscordId, number: int) -> Foresight:
        """Remove a variation, and return the position of the match."""
        found = await self.look(match, user)
        await self._change(found, tuple(it.moves for it in found.variations if it.id != number))
        return await self.look(match, user)

    async def clear(self, match: int, user: DiscordId) -> Foresight:
        """Remove all variations of a member in a match, and return the position of the match."""
        await self._change(await self.look(match, user), ())
        return await self.look(match, user)

    async def _change(self, known: Foresight, wanted: Sequence[Moves]) -> None:
        """Replace the variations of a member by these."""
        if len(wanted) > MOST:
            raise Refused(f"You have {MOST} variations here, which is the most; remove one first.")
        loaded, stands = known.loaded, {it.moves for it in known.variations}
        theirs = [it.id for it in known.variations]
        gone = [it.id for it in known.variations if it.moves not in wanted]
        added = [moves for moves in wanted if moves not in stands]
        try:
            await self._store.variations.change(loaded.id, known.user, loaded.plies, theirs, gone, added)
        except MovedOn:
            raise Refused(f"{loaded.name} has moved on; play on its newest board.") from None
        except VariationsChanged:
            raise Refused(
                f"Your conditional moves in {loaded.name} have changed meanwhile; open them again."
            ) from None

    async def settle(self, loaded: LoadedMatch) -> LoadedMatch:
        """Play the answer that was entered to the newest position, if there is one, and all that follows it.

        Variations that the match has left are deleted. Return the match after that.
        """
        while loaded.stored.context.variations and not loaded.match.over:
            found = await self._store.variations.of_match(loaded.id)
            rests = {it.id: rest_of(it, loaded.stored.log) for it in found if _may(loaded, it.user)}
            due = next((it for it in found if rests.get(it.id) and _on_turn(loaded, it.user)), None)
            try:
                if due is None:
                    await self._follow(loaded, found, rests)
                    break
                loaded = await self._play(loaded, found, due)
            except MovedOn:
                loaded = await self._matches.load(loaded.id)
            except TimeIsOver:
                break  # The timekeeper ends the match.
        return loaded

    async def _play(self, loaded: LoadedMatch, found: Sequence[Variation], due: Variation) -> LoadedMatch:
        """Play the answer of a variation, or delete its member's variations if the referee refuses the answer.

        Raises MovedOn and TimeIsOver.
        """
        seat, rest = loaded.seat_of(due.user), rest_of(due, loaded.stored.log)
        assert seat is not None
        try:
            after = await self._matches.play_conditional(loaded, seat, rest[0])
        except RuleError:
            # The rules have changed since the move was entered.
            log.warning("conditional_move.refused", match=loaded.id)
            theirs = [it.id for it in found if it.user == due.user]
            await self._store.variations.follow(loaded.id, loaded.plies, {}, theirs)
            self._note_dropped(loaded.id, {due.user})
            return loaded
        log.info("conditional_move.played", match=loaded.id)
        return after

    async def _follow(
        self, loaded: LoadedMatch, found: Sequence[Variation], rests: Mapping[int, Moves]
    ) -> None:
        """Store what is left of the variations of a match. Raises MovedOn."""
        gone = [it.id for it in found if not rests.get(it.id)]
        behind = {it.id: rests[it.id] for it in found if it.id not in gone and it.plies != loaded.plies}
        if gone or behind:
            await self._store.variations.follow(loaded.id, loaded.plies, behind, gone)
        made = {it.plies: tuple(entry.text for entry in loaded.stored.log[it.plies :]) for it in found}
        served = {it.user for it in found if it.id not in gone or it.moves == made[it.plies]}
        self._note_dropped(loaded.id, {it.user for it in found if _may(loaded, it.user)} - served)

    def _note_dropped(self, match: int, users: Iterable[DiscordId]) -> None:
        if len(self._dropped) < MOST_UNTOLD:
            self._dropped.update((match, user) for user in users)


def _may(loaded: LoadedMatch, user: DiscordId) -> bool:
    """Return True if a member takes part in a match, and has not switched conditional moves off."""
    chosen = loaded.chosen_by(user)
    return chosen is not None and chosen.conditional and loaded.seat_of(user) in loaded.match.playing


def _on_turn(loaded: LoadedMatch, user: DiscordId) -> bool:
    return user in loaded.waiting_for


def _obstacle(loaded: LoadedMatch, user: DiscordId) -> str | None:
    """Return the reason why a player cannot enter conditional moves in a match now, or None."""
    if loaded.match.over:
        return f"{loaded.name} is over."
    if not _may(loaded, user):
        return "You have switched conditional moves off; `/preferences` switches them on."
    if any(map(is_computer, loaded.stored.users)):
        return f"Conditional moves are for games among members; a computer player plays {loaded.name}."
    if not foreseeable(loaded.match):
        return f"Moves are hidden in {loaded.name}, so answers to them cannot be entered in advance."
    if _on_turn(loaded, user):
        return f"It is your turn in {loaded.name}; enter conditional moves when others are to move."
    return None
