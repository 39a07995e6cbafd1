"""Preferences of members and settings of servers."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from bot.app.clocks.time_controls import read_time_control
from rules.games import GAMES
from tests.app.stateful.base import served
from tests.app.stateful.challenges import ChallengeRules
from tests.app.stateful.strategies import clocks, guilds, members, numbers

KEYS = [game.key for game in GAMES]
changes = st.one_of(
    st.fixed_dictionaries({"withheld": st.lists(st.sampled_from(KEYS), max_size=3, unique=True).map(tuple)}),
    st.fixed_dictionaries({"channels": st.sampled_from([(), (), (11,), (12, 21)])}),
    st.fixed_dictionaries({"threads": st.booleans()}),
    st.fixed_dictionaries({"time_control": clocks.map(read_time_control)}),
    st.fixed_dictionaries({"results": st.sampled_from([None, 12])}),
)


class PreferenceRules(ChallengeRules):
    """Members choose preferences, and managers choose settings."""

    @served(user=members, on=st.booleans())
    def force(self, user: int, on: bool) -> None:
        self.run(self.host.services.preferences.choose(user, forced=on))
        (self.oracle.forced.add if on else self.oracle.forced.discard)(user)

    @served(
        user=members, other=members, kind=st.sampled_from(("block", "unblock", "unblock", "away", "back", "back"))
    )  # fmt: skip
    def prefer(self, user: int, other: int, kind: str) -> None:
        does, chosen, pair = self.host.services.preferences, self.choices, (user, other)
        match kind:
            case "block":
                may = user != other and pair not in chosen.blocks
                self.attempt(lambda: does.block(user, other), may=may)
                if may:
                    chosen.blocks.add(pair)
            case "unblock":
                self.attempt(lambda: does.unblock(user, other), may=pair in chosen.blocks)
                chosen.blocks.discard(pair)
            case "away":
                chosen.away[user] = self.run(does.away(user, for_good=False))
            case _:
                self.run(does.choose(user, away_until=None))
                chosen.away.pop(user, None)

    @served(user=members, days=st.integers(0, 11))
    def leave_for(self, user: int, days: int) -> None:
        """A member goes away for some days, or is back; the limits and the time left may forbid it."""
        absences = self.host.services.absences

        async def change() -> bool:
            await (absences.begin(user, f"in {days} days") if days else absences.end(user))
            return True

        done = self.attempt(change, may=None if 0 <= days <= 10 else False)
        away = self.run(absences.of([user]))
        assert not done or away == ({user: self.clock.now() + timedelta(days=days)} if days else {})

    @served(guild=guilds, change=changes)
    def set_up(self, guild: int, change: dict[str, Any]) -> None:
        """Games that have begun go on with any settings; the usual clock is for challenges that name none."""
        self.run(self.host.services.store.servers.change(guild, **change))
        found = self.choices.guilds[guild] = replace(self.choices.guilds[guild], **change)
        for process in self.hosts:
            assert self.run(process.services.preferences.guild(guild)) == found
            assert self.run(process.services.preferences.time_control(guild, " ")) == found.time_control
            assert self.run(process.services.preferences.time_control(guild, "24h")) == read_time_control(
                "24h"
            )
            assert self.run(process.services.preferences.time_control(None, "")) is None

    @served(number=numbers)
    def lose_thread(self, number: int) -> None:
        """Somebody deletes the thread of a game, which goes on in the channel where it was made."""
        loaded = self.pick(number)
        if loaded is None or loaded.match.over or loaded.stored.place.parent is None:
            return
        self.run(self.host.store.matches.move(loaded.id, loaded.stored.place.parent, None))
        assert self.shown(loaded.id).match == loaded.match
