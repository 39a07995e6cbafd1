"""The activities of members beside their games: computer games, expiring clocks, offers and challenges that wait."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, repeat
from typing import Any

from sqlalchemy import update

from db.models import ChallengeRow, SeatRow
from db.values.matches import StoredMatch
from db.values.places import Place
from rules.core.match import DRAW
from tests.contract.player import Player
from tests.db.given import match_of
from tests.leaks.anything import Anything
from tests.many_processes.deployment import PATIENCE
from tests.many_processes.playing_members import PAUSE, PlayingMembers
from tests.many_processes.retries import (
    AGAIN,
    CLOCK,
    COMPUTER_GAMES,
    answered,
    challenge_until_seen,
    gone,
    press_newest,
)
from tests.soak.games import another_board, begin, boards_in, follow
from tests.soak.hidden_rows import FollowedGame, HiddenRows

LEVELS = 3
"""The levels of computer players that are played against, from the first one on."""
THINK = 6.0
"""Seconds for which a member thinks before a move against a computer player, on average."""
LOOKS = 6
"""The number of looks, PAUSE seconds apart, at what an action has done before it is repeated."""
PENDING = 40.0
"""Seconds for which an offer or a challenge waits for its answer."""
REFUSED = ("declined", "expired", "withdrawn", "withdrawn")
"""Ends other than a game: after some more the bot would let a member challenge the other no more that day."""
SOON = timedelta(seconds=3)
"""The time after which a clock runs out that is nearly over."""
PUNCTUAL = timedelta(seconds=45)
"""The time after its deadline by which a clock must have decided its game, restarts included."""


@dataclass
class Activities:
    """Loops that go on until `over` is set; each ends what it has begun."""

    playing_members: PlayingMembers
    rows: HiddenRows
    over: asyncio.Event = field(default_factory=asyncio.Event)
    done: Counter[str] = field(default_factory=Counter)
    """The number of times by what was done."""
    latest: timedelta = timedelta(0)
    """The longest time between a deadline and its decision."""
    quick_clocks: bool = False
    """True if clocks run out in a few seconds, as if their minute were nearly over."""

    def in_server(
        self, server: int, index: int, *, clocks: bool = True
    ) -> Iterator[Coroutine[Any, Any, None]]:
        """Yield what two members do beside their games; with an odd `index` they challenge and do not offer draws."""
        deployment = self.playing_members.deployment

        def at(name: str) -> list[Player]:
            channel = deployment.channel(server, name)
            return [member.elsewhere(channel) for member in deployment.members[server][:2]]

        yield self.against_computers(at("computers")[0], index)
        if clocks:
            yield self.clocks(*at("clocks"))
        yield (self.challenges if index % 2 else self.offers)(*at("offers"))

    async def against_computers(self, player: Player, index: int) -> None:
        """Play against computer players, one game after the other."""
        chance = random.Random(f"computers {index}")
        while not self.over.is_set():
            name, level = COMPUTER_GAMES[index % len(COMPUTER_GAMES)], index % LEVELS + 1
            index += 1
            known = boards_in(self.playing_members.deployment.watch, player.channel)
            await answered(player, "play", game=name, size="quick", level=level)
            try:
                number = await another_board(self.playing_members.deployment.watch, player.channel, known)
            except TimeoutError:
                self.playing_members.troubles["no board of a new game"] += 1
                continue
            game = await follow(self.playing_members, self.rows, number, [player])
            while not (game.match.over or self.over.is_set()):
                await self._turn(game, chance)
            self.done["games against computers"] += game.match.over

    async def _turn(self, game: FollowedGame, chance: random.Random) -> None:
        """Move if it is the member's turn, or wait for the computer player."""
        if any(seat in game.players for seat in game.match.to_move):
            await self._rest(THINK * chance.uniform(0.5, 1.5))
            await self.playing_members.move(-1, game)
        else:
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE):
                    await game.watch.change(game.channel)
        await self.playing_members.bring_up_to_date(game)

    async def clocks(self, one: Player, other: Player) -> None:
        """Let the clocks of games run out, in which nobody moves."""
        while not self.over.is_set():
            number = await begin(self.playing_members, one, other, "skull", CLOCK)
            if self.quick_clocks:
                await self._hurry(number)
            deadline, ended = None, None
            async with asyncio.timeout(PATIENCE):
                while ended is None:
                    stored = await self._load(number)
                    ended = stored.finished_at
                    running = [clock.deadline for clock in stored.clocks if clock is not None]
                    # What an absence of the bot costs is given back, so a later deadline counts.
                    deadline = next((one for one in running if one is not None), deadline)
                    await asyncio.sleep(1)
            assert [entry.text for entry in stored.log] == ["timeout"], stored.log
            assert deadline is not None
            assert ended >= deadline, f"the clock of match {number} has run out too early"
            assert ended - deadline < PUNCTUAL, (
                f"the clock of match {number} was noted {ended - deadline} late"
            )
            self.latest = max(self.latest, ended - deadline)
            self.done["clocks run out"] += 1

    async def offers(self, one: Player, other: Player) -> None:
        """Offer draws that wait for their answer: some are agreed to, after others a player resigns."""
        while not self.over.is_set():
            for agreed in (True, False):
                number = await begin(self.playing_members, one, other, "alaric")
                await _again(partial(self._offer, one, number), partial(self._offered, number))
                await self._rest(PENDING)
                if agreed:
                    await _again(partial(press_newest, other, "agree:"), partial(self._over, number))
                else:
                    await _again(partial(press_newest, other, "disagree:"), partial(self._settled, number))
                    await self._resign(one, number)
                stored = await self._load(number)
                assert [entry.text for entry in stored.log] == [DRAW if agreed else "resign"], stored.log
                self.done["draws agreed to" if agreed else "draws declined"] += 1

    async def challenges(self, one: Player, other: Player) -> None:
        """Challenge and let it wait; a few challenges are declined or withdrawn or expire, all others are accepted.

        These members must challenge each other nowhere else.
        """
        watch = self.playing_members.deployment.watch
        answers = chain(("accepted", *REFUSED), repeat("accepted"))
        while not self.over.is_set():
            answer = next(answers)
            async with asyncio.timeout(PATIENCE):
                await self._challenged(one, other)
            await self._rest(PENDING)
            known = boards_in(watch, one.channel)
            if answer == "accepted":

                async def begun(known: set[int] = known) -> bool:
                    return bool(boards_in(watch, one.channel) - known)

                await _again(partial(self._accepted, one, other), begun)
                await self._resign(other, await another_board(watch, one.channel, known))
            elif answer == "expired":
                await self._expire(int(one.channel))
                await gone(one, "accept:")
            else:
                player = one if answer == "withdrawn" else other
                await _again(partial(press_newest, player, "refuse:"), partial(self._closed, one.channel))
            self.done[f"challenges {answer}"] += 1

    async def _challenged(self, one: Player, other: Player) -> None:
        await challenge_until_seen(self.playing_members.deployment, one, other, game="xlines")

    async def _accepted(self, one: Player, other: Player) -> None:
        """Accept a challenge. The card may be an earlier one, if the bot was killed before the newest was stored."""
        await self._challenged(one, other)
        await press_newest(other, "accept:")

    async def anything(self, people: Sequence[Sequence[Player]], pace: float) -> None:
        """Use so many times in a second anything that a member sees who plays no game of the ledger."""
        free = Anything([list(some) for some in people], random.Random("anything"))
        async with asyncio.TaskGroup() as doing:
            while not self.over.is_set():
                doing.create_task(free.once())
                await self._rest(1 / pace)
        self.done["anything else"] = free.done.total()

    async def _offer(self, player: Player, number: int) -> None:
        """Offer a draw."""
        await press_newest(player, f"more:{number}")
        await press_newest(player, f"draw:{number}")

    async def _resign(self, player: Player, number: int) -> None:
        async def resign() -> None:
            await press_newest(player, f"more:{number}")
            await press_newest(player, f"resign:{number}")
            await press_newest(player, f"really-resign:{number}")

        await _again(resign, partial(self._over, number))

    async def _hurry(self, number: int) -> None:
        soon = datetime.now(UTC) + SOON
        running = update(SeatRow).where(SeatRow.match_id == number, SeatRow.deadline.is_not(None))
        async with self.playing_members.deployment.store.sessions.write() as session:
            await session.execute(running.values(deadline=soon, remind_at=None))

    async def _expire(self, channel: int) -> None:
        past = datetime.now(UTC)
        waiting = update(ChallengeRow).where(
            ChallengeRow.channel == channel, ChallengeRow.answered_at.is_(None)
        )
        async with self.playing_members.deployment.store.sessions.write() as session:
            await session.execute(waiting.values(expires_at=past))

    async def _closed(self, channel: str) -> bool:
        """Return True if no challenge in a channel is open."""
        open_ = await self.playing_members.deployment.store.challenges.open(place=Place(None, int(channel)))
        return not open_

    async def _over(self, number: int) -> bool:
        return (await self._load(number)).finished_at is not None

    async def _offered(self, number: int) -> bool:
        """Return True if an offer of a draw waits for its answer."""
        return bool(await self.playing_members.deployment.store.proposals.open(number))

    async def _settled(self, number: int) -> bool:
        return not await self._offered(number)

    async def _load(self, number: int) -> StoredMatch:
        return await match_of(self.playing_members.deployment.store, number)

    async def _rest(self, seconds: float) -> None:
        """Wait, or less if the soak is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.over.wait()


async def _again(act: Callable[[], Awaitable[object]], done: Callable[[], Awaitable[bool]]) -> None:
    """Act until it is done: the bot may be killed between its answer and the rest."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await act()
            for _ in range(LOOKS):
                if await done():
                    return
                await asyncio.sleep(PAUSE)
