"""Costs that grow: `python -m tests.bench.moves.growth` (on Linux), some three minutes.

Processor time of the bot, in milliseconds, for a move by the length of its game, and for a move, completions and lists
by the number of games that are stored beside it. Nothing should grow from the top of a table to its bottom.
"""

import argparse
import asyncio
import random
import statistics
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.sandbox import Sandbox
from render.games import HOSTED_GAMES
from rules.core.match import Match
from rules.games import find
from tests.bench.moves.bots import MEMBERS, Traced, traced_bot
from tests.bench.moves.clock import resting
from tests.bench.moves.playing import Game, Watch
from tests.bench.moves.positions import STAGES, Placed, at_stage, store_matches
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.e2e.messages import once
from tests.rules.walks import finish

LENGTHS = (
    ("alaric", 40, (5, 50, 150, 300)),
    ("cocomposite", 16, (5, 50, 100, 150)),
    ("maze", 8, (5, 40, 80, 120)),
)
OTHER_GAMES = {
    "running here": (0, 100, 400),
    "running elsewhere": (0, 400, 2000),
    "finished here": (0, 1000, 10_000),
}
SHOWN = 1 << 40
"""The id of a message that is not there: boards of other games need not be posted."""
REPEATS = 5


@dataclass
class Scene:
    """A bot with games, and a member who plays them."""

    bot: Traced
    games: list[Game]
    member: Player


@asynccontextmanager
async def scene(matches: Sequence[Match], others: Sequence[tuple[Match, str]] = ()) -> AsyncIterator[Scene]:
    """Start a bot with games to play, each in a channel of its own, and others in the channels with these names."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-bench-")))
        lay(folder)
        names = [f"game-{number}" for number in range(len(matches))]
        local = await stack.enter_async_context(Sandbox(members=MEMBERS, channels=[*names, "elsewhere"]))
        members = await stack.enter_async_context(players(local.url, local.world))
        users, guild, watch = (
            [int(member.id) for member in members],
            int(local.world.guild["id"]),
            Watch(local),
        )
        games = []
        for name, match in zip(names, matches, strict=True):
            channel = local.channel(name)["id"]
            (number,) = await store_matches(folder, [Placed(match, guild, int(channel), users)])
            seats = {seat: member.elsewhere(channel) for seat, member in enumerate(members)}
            games.append(Game(watch, seats, number, match, random.Random(number)))
        beside = (
            Placed(match, guild, int(local.channel(name)["id"]), users, SHOWN + number)
            for number, (match, name) in enumerate(others)
        )
        await store_matches(folder, beside)
        bot = await stack.enter_async_context(traced_bot(local.url, folder))
        for game in games:
            await game.board()
        yield Scene(bot, games, games[0].players[0])


async def cost(bot: Traced, act: Callable[[], Awaitable[object]]) -> float:
    """Return the milliseconds of processor time that the bot needs for something."""
    before = await resting(bot.pid)
    await act()
    return await resting(bot.pid) - before


async def move_cost(bot: Traced, game: Game) -> float:
    """Return the milliseconds of a move, the median of a few in turn."""
    found = []
    for _ in range(REPEATS):
        press = await game.next_press()
        found.append(await cost(bot, partial(game.play, press)))
    return statistics.median(found)


async def by_length() -> None:
    print(f"\n{'a move':<18}{'ply':>6}{'ms':>8}")
    for key, size, lengths in LENGTHS:
        game = find(key)
        start = Match.start(game, {"size": size}, 2)
        most = max(lengths) + 2 * REPEATS
        whole = next(
            match for seed in range(1000)
            if len((match := finish(start, random.Random(seed), most)).log) == most
        )  # fmt: skip
        matches = [Match.replay(game, whole.setup, whole.log[:length]) for length in lengths]
        async with scene(matches) as at:
            for length, one in zip(lengths, at.games, strict=True):
                print(f"{f'{key} {size}':<18}{length:>6}{await move_cost(at.bot, one):>8.0f}", flush=True)


async def by_other_games() -> None:
    asked = ("move", "/move: move", "/move: game", "/replay: game", "/games")
    print(f"\n{'games beside':<18}{'number':>7}" + "".join(f"{what:>15}" for what in asked))
    running = [
        at_stage(game, stage, seed, 0) for seed in range(20) for game in HOSTED_GAMES for stage in STAGES
    ]
    over = finish(Match.start(find("skull"), {}, 2), random.Random(1), 1000)
    played = Match.start(find("alaric"), {}, 2)
    for kind, numbers in OTHER_GAMES.items():
        for number in numbers:
            name = "elsewhere" if "elsewhere" in kind else "game-0"
            others = [
                (over if "finished" in kind else running[one % len(running)], name) for one in range(number)
            ]
            async with scene([played], others) as at:
                spent = [
                    await median_of(at, act) for act in (completed_move, completed_game, replayed, listed)
                ]
                row = [await move_cost(at.bot, at.games[0]), *spent]
            print(f"{kind:<18}{number:>7}" + "".join(f"{ms:>15.0f}" for ms in row), flush=True)


async def median_of(at: Scene, act: Callable[[Scene], Awaitable[object]]) -> float:
    found: list[float] = []
    for _ in range(2 * REPEATS):
        with suppress(AssertionError):  # not answered within three seconds, on a busy machine
            found.append(await cost(at.bot, lambda: act(at)))
    return statistics.median(found[-REPEATS:])


async def completed_move(at: Scene) -> None:
    game = at.games[0]
    player = game.players[game.match.to_move[0] or 0]
    answer = await player.autocomplete("move", "move", move="", number=game.number)
    assert answer.get("choices"), answer


async def completed_game(at: Scene) -> None:
    answer = await at.member.autocomplete("move", "number", move="", number="")
    assert answer.get("choices"), answer


async def replayed(at: Scene) -> None:
    assert "choices" in await at.member.autocomplete("replay", "number", number="")


async def listed(at: Scene) -> None:
    answer = await at.member.command("games")
    assert answer["outcome"] == "message", answer
    await once(at.member, answer["message"], lambda now: now["state"] == "sent")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.moves.growth", description=__doc__)
    parser.add_argument("--only", choices=["length", "games"], help="one of the two tables; default: both")
    given = parser.parse_args()
    if given.only != "games":
        asyncio.run(by_length())
    if given.only != "length":
        asyncio.run(by_other_games())


if __name__ == "__main__":
    main()
