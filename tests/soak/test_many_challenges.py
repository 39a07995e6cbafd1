"""Many members challenge each other at once: each challenge is acknowledged in time, posted, and posted once."""

import asyncio
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Sandbox
from tests.contract.changes import Changes
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at

CHALLENGES = re.compile(r"<@(\d+)> challenges <@(\d+)>")


@pytest.mark.soak
@pytest.mark.parametrize("members", [200])
async def test_challenged_all_at_once(tmp_path: Path, members: int) -> None:
    async with (
        Sandbox(members=tuple(f"Member {number}" for number in range(members))) as local,
        players(local.url, local.world) as found,
        bot_at(local.url, tmp_path) as bot,
    ):
        pairs = list(zip(found, [*found[1:], found[0]], strict=True))
        waited = await asyncio.gather(*(_challenge(*pair) for pair in pairs))
        channel = local.channel("general")["id"]

        async def posted() -> Counter[Any] | None:
            # Read from the world itself: a member is shown only the newest messages.
            texts = (str(message.body["components"]) for message in local.world.messages[channel].values())
            seen = Counter(match.groups() for text in texts for match in CHALLENGES.finditer(text))
            return seen if len(seen) == members else None

        seen = await Changes(local.world).until(posted)
        await bot.says("ready")
        assert seen == Counter({(one.id, other.id): 1 for one, other in pairs})
        print(f"{members} challenges at once: the slowest acknowledgement came after {max(waited):.2f} s")


async def _challenge(one: Player, other: Player) -> float:
    """Challenge another member. Return the seconds until Discord had the acknowledgement, which takes it for three."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    answer = await one.command("challenge", member=other.id, game="alaric")
    assert answer["outcome"] == "message", answer
    return loop.time() - since
