"""Limits of challenges, over the wire: one too many is refused to the member who asks, and nothing is posted."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from bot.app.challenges.limits import DAY, MOST_ASKED, MOST_DECLINED, MOST_HERE, MOST_PUBLIC
from db.address import address
from db.engine import make_engine
from db.models import ChallengeRow, PostRow
from db.values.posts import PostKind
from tests.contract.changes import PATIENCE
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import Json, press, told, until, usable_labels
from tests.e2e.play import accept, ask, offered


async def challenges(ada: Player, other: Player, size: int) -> Json:
    """A challenge to Alaric; every size is one of its own."""
    return await ask(ada, [other], "alaric", str(size))


async def refused(ada: Player, others: tuple[Player, ...], words: str, command: str, **options: Any) -> None:
    """The command is refused to Ada alone, in one sentence, and the others see nothing new."""
    before = [[message["id"] for message in await other.messages()] for other in others]
    await ada.command(command, **options)
    await told(ada, words)
    assert [[message["id"] for message in await other.messages()] for other in others] == before


async def shift(data_dir: Path, span: timedelta, *, shown: int) -> None:
    """Make all challenges older, open and closed, once the bot has stored the messages of so many."""
    engine = make_engine(address(None, data_dir))
    past = datetime.now(UTC) - span
    posted = select(PostRow.subject).where(PostRow.kind == PostKind.CARD, PostRow.message.is_not(None))
    aged = update(ChallengeRow).where(ChallengeRow.id.in_(posted)).values(made_at=past, expires_at=past)
    async with asyncio.timeout(PATIENCE):
        while True:
            async with engine.begin() as connection:
                if (await connection.execute(aged)).rowcount == shown:
                    closed = update(ChallengeRow).where(ChallengeRow.answered_at.is_not(None))
                    await connection.execute(closed.values(answered_at=past))
                    break
            await asyncio.sleep(0.1)
    await engine.dispose()


async def test_limits_of_challenges(club: Club) -> None:
    others = (club.grace, club.emmy)
    to_grace = {"member": club.grace.id, "game": "alaric"}
    to_emmy = {"member": club.emmy.id, "game": "alaric"}
    sent = [await challenges(club.ada, club.grace, 5 + number) for number in range(MOST_HERE)]
    await refused(club.ada, others, "already sent this challenge", "challenge", **to_grace, size="5")
    many = f"You have {MOST_HERE} challenges open here; withdraw one or wait for an answer."
    await refused(club.ada, others, many, "challenge", **to_emmy, size="5")
    await press(club.ada, sent[0], "Decline")
    await until(club.grace, sent[0], "withdrawn")
    sent[0] = await challenges(club.ada, club.emmy, 5)  # one is withdrawn, so another may be asked
    await press(club.emmy, sent[0], "Decline")
    await until(club.ada, sent[0], "declined")
    await shift(club.folder, timedelta(hours=1), shown=MOST_HERE + 1)
    await club.restart()
    for message in sent[1:]:
        assert usable_labels(await until(club.grace, message, "expired")) == {"Meanwhile, play me"}
    often = f"You have asked <@{club.grace.id}> {MOST_ASKED} times within a day and they have not accepted"
    await refused(club.ada, others, often, "challenge", **to_grace, size="9")
    for _ in range(MOST_DECLINED - 1):
        message = await challenges(club.ada, club.emmy, 6)
        await press(club.emmy, message, "Decline")
        await until(club.ada, message, "declined")
    declined = f"<@{club.emmy.id}> has declined {MOST_DECLINED} challenges of yours within a day"
    await refused(club.ada, others, declined, "challenge", **to_emmy, size="7")
    back = await ask(club.emmy, [club.ada], "alaric", "8")  # but she may ask herself
    await accept(club.ada, back["id"])

    games = ("maze", "cocomposite", "skull", "spaghetti")
    for game in games[:MOST_PUBLIC]:
        await offered(club.ada, club.ada.command("lobby", game=game))
    public = f"You have {MOST_PUBLIC} games open for others to join"
    await refused(club.ada, others, public, "lobby", game=games[MOST_PUBLIC])

    shown = MOST_HERE + 1 + (MOST_DECLINED - 1) + 1 + MOST_PUBLIC
    await shift(club.folder, DAY, shown=shown)  # a day later they may be asked again
    await challenges(club.ada, club.emmy, 7)
    last = await challenges(club.ada, club.grace, 9)
    assert (await accept(club.grace, last["id"])).plies == 0
