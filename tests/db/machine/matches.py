"""Rules about matches and the history."""

from datetime import datetime
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import multiple, rule

from db.values.clocks import Clocks, Ticking
from db.values.matches import Beginning, Ending, NewEntry, Outcome, PositionKeys, Search, Turns
from db.values.places import Place
from rules.core.match import VOID, Ply
from tests.db.machine.base import (
    REFUSALS,
    Base,
    channels,
    clocks,
    endings,
    games,
    guilds,
    matches,
    places,
    plies,
    position_keys,
    positions,
    rows,
    salts,
    texts,
    times,
    turns,
    users,
)

ahead = st.integers(-1, 3)
"""The distance from the next ply: mostly 0, sometimes one before or after."""


class Matches(Base):
    """Rules about matches and the history."""

    @rule(
        target=matches, match=matches, late=ahead, ply=plies, at=times, ending=endings, salt=salts,
        before=st.none() | clocks, after=clocks, which=st.none() | st.integers(0, 9), due=turns,
        position=st.none() | positions,
    )  # fmt: skip
    def append(
        self, match: int, late: int, ply: Ply, at: datetime, ending: tuple[Outcome, ...] | None, salt: str | None,
        before: Clocks | None, after: Clocks, which: int | None, due: Turns | None,
        position: PositionKeys | None = None,
    ) -> Any:  # fmt: skip
        """Append a ply, sometimes with outdated clocks, sometimes with a proposal, open or not.

        If it ends the first game of two, the second begins, with the clocks of `after`.
        """
        found = self.model.matches[match]
        ending = ending and ending[: found.setup.players]
        seen = found.clocks if before is None else before[: len(found.clocks)]
        ticking = Ticking(seen, after[: len(found.clocks)]) if found.time_control else None
        made = [it.id for it in self.model.proposals.values() if it.match == match]
        proposal = None if which is None or not made else made[which % len(made)]
        number = self.due(match, late)
        begins = ending is not None and found.games == 2 and found.first is None
        then = Beginning(2, after[: len(found.clocks)]) if begins else None
        real = self.store.matches.append(
            match,
            number,
            NewEntry(ply, at, salt=salt, ticking=ticking, turns=due, position=position),
            None if ending is None else Ending(ending, then=then),
            proposal=proposal,
        )
        try:
            self.model.append(match, number, ply, at, ending, salt, ticking, proposal, due, position)
        except REFUSALS as refusal:
            self.refused(real, refusal)
            return multiple()
        assert self.run(real) == self.run(self.store.matches.load(match))
        second = self.run(self.store.matches.second_game(match))
        if then is None:
            return multiple()
        assert second is not None
        self.model.begin_second(match, second, then, at)
        return second

    def due(self, match: int, late: int) -> int:
        return len(self.model.matches[match].log) + (late if abs(late) == 1 else 0)

    @rule(match=matches, late=ahead, at=times, reason=texts)
    def break_off(self, match: int, late: int, at: datetime, reason: str) -> None:
        number, entry = self.due(match, late), Ply(None, VOID)
        self.both(
            self.store.matches.break_off(match, number, entry, at, reason),
            lambda: self.model.break_off(match, number, entry, at, reason),
        )

    @rule(match=matches, at=times, reason=texts)
    def void(self, match: int, at: datetime, reason: str) -> None:
        self.both(self.store.matches.void(match, at, reason), lambda: self.model.void(match, at, reason))

    @rule(match=matches)
    def look_for_the_second_game(self, match: int) -> None:
        self.both(self.store.matches.second_game(match), lambda: self.model.second_game(match))

    @rule(match=matches, channel=channels, home=st.none() | channels)
    def move(self, match: int, channel: int, home: int | None) -> None:
        self.both(
            self.store.matches.move(match, channel, home), lambda: self.model.move(match, channel, home)
        )

    @rule(match=matches, late=ahead, seat=st.integers(0, 5))
    def take_hint(self, match: int, late: int, seat: int) -> None:
        number, seat = self.due(match, late), seat % self.model.matches[match].setup.players
        self.both(
            self.store.matches.take_hint(match, number, seat),
            lambda: self.model.take_hint(match, number, seat),
        )

    @rule(match=matches, late=ahead, position=st.none() | positions)
    def note_position(self, match: int, late: int, position: PositionKeys | None) -> None:
        number = self.due(match, late)
        self.both(
            self.store.positions.note([(match, number, position)]),
            lambda: self.model.note_position(match, number, position),
        )

    @rule(match=matches, keys=st.sets(position_keys, min_size=1), text=rows, rated=st.booleans())
    def look_for_positions(self, match: int, keys: set[int], text: str, rated: bool) -> None:
        """Most matches have no keys, so that all of a game get some before the second look."""
        game = self.model.matches[match].setup.game
        for _ in range(2):
            self.both(
                self.store.positions.standing(game, keys, rated=rated),
                lambda: self.model.standing(game, keys, rated=rated),
            )
            self.both(self.store.positions.facing(game, text), lambda: self.model.facing(game, text))
            self.both(self.store.positions.unkeyed(game, 2), lambda: self.model.unkeyed(game)[:2])
            for it in self.model.unkeyed(game):
                self.note_position(it.id, 0, PositionKeys((it.id % 4, 1), ("RB", None)))

    @rule(user=st.none() | users, channel=st.none() | channels, guild=st.none() | guilds)
    def look_at_matches(self, user: int | None, channel: int | None, guild: int | None) -> None:
        self.both(
            self.store.matches.running(user=user, channel=channel, guild=guild),
            lambda: self.model.running(user, channel, guild),
        )
        theirs = None if user is None else (user,)
        self.both(
            self.store.lists.running(users=theirs, channel=channel), lambda: self.model.listed(user, channel)
        )
        if channel is not None:
            self.both(self.store.lists.running_in(channel), lambda: self.model.running_in(channel))

    @rule(match=matches, late=ahead, due=turns)
    def note_turns(self, match: int, late: int, due: Turns | None) -> None:
        if due is not None:
            number = self.due(match, late)
            self.both(
                self.store.lists.note_turns(match, number, due),
                lambda: self.model.note_turns(match, number, due),
            )

    @rule(
        place=places, game=st.none() | games, member=st.none() | users, other=st.none() | users,
        outcome=st.none() | st.sampled_from(Outcome), limit=st.integers(1, 3),
        mark=st.none() | matches | st.just(10**6), newer=st.booleans(),
    )  # fmt: skip
    def search(
        self, place: Place, game: str | None, member: int | None, other: int | None,
        outcome: Outcome | None, limit: int, mark: int | None, newer: bool,
    ) -> None:  # fmt: skip
        wanted = Search.near(place, game)
        if member is not None:
            wanted = Search.near(place, game, member, other if other != member else None, outcome)
        self.both(
            self.store.history.page(wanted, limit, mark=mark, newer=newer),
            lambda: self.model.finished(wanted, limit, mark, newer),
        )
        self.both(self.store.history.last(wanted, limit), lambda: self.model.last_finished(wanted, limit))
