"""Games of members against each other, in which so many moves are made in a second, whatever the bot does."""

import asyncio
import random
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle

from bot.app.matches.loaded import LoadedMatch
from render.games import HOSTED_GAMES
from tests.bench.moves.playing import Watch
from tests.bench.moves.positions import STAGES, Placed, at_stage, store_matches
from tests.contract.player import Player
from tests.db.given import match_of
from tests.e2e.play import end
from tests.leaks.notations import LONG_ROWS
from tests.many_processes.deployment import PATIENCE
from tests.many_processes.playing_members import PlayingMembers
from tests.many_processes.retries import AGAIN, challenge_until_seen, press_newest
from tests.soak.hidden_rows import FollowedGame, HiddenRows

CLOCKS = ("none", "3d", "none", "15m+10s")
COMPLETED = 0.2
"""The share of moves before which a member lets the bot complete what they type."""
REVERTED = 0.3
"""The share of finished games whose result a moderator takes back."""


@dataclass
class Seats:
    """Two members in a channel of theirs, with the game that they play there."""

    server: int
    members: Sequence[Player]
    """Each acts in the channel."""
    game: FollowedGame | None = None

    @property
    def channel(self) -> str:
        return self.members[0].channel


class Games:
    """Games that go on from move to move; those that end are replaced by others, begun by a challenge."""

    def __init__(self, playing_members: PlayingMembers, rows: HiddenRows, seats: Sequence[Seats]) -> None:
        self._crowd, self._rows = playing_members, rows
        self._waiting = deque(seats)
        self._kinds: Iterator[tuple[str, str]] = cycle(
            (game.key, clock) for clock in CLOCKS for game in HOSTED_GAMES
        )
        self.late = 0
        """Moves that were not made, as in all games somebody still waited for the bot."""
        self.finished = 0
        self.reverted = 0
        self.wrong: list[str] = []
        """A sentence for each two members who could not go on."""
        self._chance = random.Random(str(len(seats)))

    async def store(self) -> None:
        """Store the first games, at all stages, as if they had been played before."""
        deployment, stages = self._crowd.deployment, [*STAGES]
        guilds = [int(id_) for id_ in deployment.local.world.guilds]
        placed = []
        in_servers = [seats for seats in self._waiting if seats.server >= 0]
        for index, seats in enumerate(in_servers):
            game = HOSTED_GAMES[index % len(HOSTED_GAMES)]
            match = at_stage(game, stages[index // len(HOSTED_GAMES) % len(stages)], index % 10, 4)
            users = [int(member.id) for member in seats.members]
            placed.append(Placed(match, guilds[seats.server], int(seats.channel), users))
        numbers = await store_matches(deployment.folder, placed, deployment.url or None)
        for seats, one, number in zip(in_servers, placed, numbers, strict=True):
            by_seat = dict(enumerate(seats.members))
            chance = random.Random(number)
            seats.game = FollowedGame(deployment.watch, by_seat, number, one.match, chance, rows=self._rows)
            self._crowd.ledger.begun[number] = len(one.match.log)

    async def shown(self) -> None:
        """Wait until every stored game has a board."""
        for seats in self._waiting:
            if seats.game is not None:
                await seats.game.board()

    async def play(self, pace: float) -> None:
        """Make so many moves in a second, for ever."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        async with asyncio.TaskGroup() as moves:
            while True:
                due += 1 / pace
                await asyncio.sleep(due - loop.time())
                if self._waiting:
                    moves.create_task(self._turn(self._waiting.popleft()))
                else:
                    self.late += 1

    async def play_without_pause(self, most: int) -> None:
        """Let the members at so many tables make one move after the other, for ever. Return if none can go on."""

        async def go_on(seats: Seats) -> None:
            while await self._moved(seats):
                pass

        await asyncio.gather(*(go_on(self._waiting[table]) for table in range(min(most, len(self._waiting)))))

    async def _turn(self, seats: Seats) -> None:
        """Let members at a table type in an option now and then, and make a move."""
        if seats.game is not None and not seats.game.match.over and self._chance.random() < COMPLETED:
            await self._complete(seats.game)
        if await self._moved(seats):
            self._waiting.append(seats)

    async def _moved(self, seats: Seats) -> bool:
        """Make a move, or begin another game where the last one is over. Return False if the members cannot go on."""
        game = seats.game
        if game is None or game.match.over:
            try:
                if game is not None and seats.server >= 0 and self._chance.random() < REVERTED:
                    await self._revert(seats.members[0], game.number)
                seats.game = await self._begin(seats)
            except TimeoutError:
                names = " and ".join(member.name for member in seats.members)
                self.wrong.append(f"{names} could not begin another game in channel {seats.channel}")
                return False
        else:
            await self._crowd.move(seats.server, game)
            self.finished += game.match.over
        return True

    async def _revert(self, owner: Player, number: int) -> None:
        """Let the owner of a server take a result back. If the bot is killed meanwhile, the result stands."""
        # The answer of a killed bot has neither a message nor a form.
        with suppress(AssertionError, KeyError, TimeoutError):
            async with asyncio.timeout(AGAIN):
                await end(owner, number, "a test")
            self.reverted += 1

    async def _complete(self, game: FollowedGame) -> None:
        """Type in the options of commands for a game."""
        player = self._chance.choice([*game.players.values()])
        with suppress(AssertionError):
            await player.autocomplete("move", "move", move="", number=game.number)
            await player.autocomplete("replay", "number", number="")

    async def _begin(self, seats: Seats) -> FollowedGame:
        key, clock = next(self._kinds)
        number = await begin(self._crowd, seats.members[0], seats.members[1], key, clock)
        return await follow(self._crowd, self._rows, number, seats.members)


async def begin(
    playing_members: PlayingMembers, one: Player, other: Player, game: str, clock: str = "none"
) -> int:
    """Let one member challenge another in their channel until a game has begun by it; return its number.

    A challenge of before whose answer was lost may be the one that is accepted. Raises TimeoutError.
    """
    watch, channel = playing_members.deployment.watch, one.channel
    size = LONG_ROWS if game == "palindromes" else "quick"
    known = boards_in(watch, channel)
    async with asyncio.timeout(PATIENCE):
        while True:
            await challenge_until_seen(
                playing_members.deployment, one, other, game=game, size=size, clock=clock
            )
            with suppress(TimeoutError):
                # The card may have been an earlier one, which has just lost its buttons.
                async with asyncio.timeout(AGAIN):
                    await press_newest(other, "accept:")
                return await another_board(watch, channel, known)
            playing_members.troubles["no board of a new game"] += 1


def boards_in(watch: Watch, channel: str) -> set[int]:
    """Return the matches that have had a board in a channel."""
    return {match for match, (message, _) in watch.boards.items() if message.channel_id == channel}


async def another_board(watch: Watch, channel: str, known: set[int]) -> int:
    """Wait for the board of another match than those known in a channel; return its number. Raises TimeoutError."""
    async with asyncio.timeout(AGAIN):
        while not (found := boards_in(watch, channel) - known):
            await watch.change(channel)
    return max(found)


async def follow(
    playing_members: PlayingMembers, rows: HiddenRows, number: int, members: Sequence[Player]
) -> FollowedGame:
    """Return a game of members as it is stored; they act where they are."""
    stored = await match_of(playing_members.deployment.store, number)
    by_id = {int(member.id): member for member in members}
    seats = {seat: by_id[user] for seat, user in enumerate(stored.users) if user in by_id}
    match = LoadedMatch.of(stored).match
    return FollowedGame(
        playing_members.deployment.watch, seats, number, match, random.Random(number), rows=rows
    )
