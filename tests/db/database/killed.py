"""A program that runs the same steps again and again, killed (SIGKILL) a little later each time.

`python -m tests.db.database.killed URL FOLDER` kills before the first statement, then before the second, and so on.
It prints a line `channel steps` for each run: its channel and the number of steps that were confirmed before the end.
The last run finishes all steps.

With `migrate` behind these arguments each run migrates the database, has one step, and is killed 23 statements later
than the run before: a migration has hundreds, in few transactions. With `forget` each run lets a member of its own
play, and then deletes the member's data, and is killed at a statement of that.
"""

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import structlog
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

import db.upgrade  # noqa: F401 - so that the children have imported it
from bot.app.challenges.terms import terms_of
from db.address import address
from db.engine import make_engine, open_store, prepare
from db.sessions import Sessions
from db.store import Store
from db.values.challenges import Answer
from db.values.matches import Award, Ending, NewEntry, Panel
from db.values.places import Place
from db.values.posts import Companion, PostKind
from tests.app.conftest import ADA, GRACE, HERE, Host
from tests.db.given import (
    ANNA,
    ASKED,
    BERT,
    CLEO,
    DECLINED,
    FIRST,
    GUILD,
    IN,
    LATER,
    LOST,
    NOW,
    SECOND,
    WON,
    accept,
    new_challenge,
    post_of,
    publish,
    show,
    standing,
)
from tests.db.life import lived

FIRST_CHANNEL = 1000
WARM_CHANNEL = 999
KAI = 2**62 + 7
"""The member of the first run: an id whose digits are nowhere else. Those of the next runs follow."""


async def story(store: Store, channel: int) -> AsyncIterator[None]:
    """Run the steps, and yield after each that the store has confirmed."""
    new = new_challenge(place=Place(GUILD, channel), expires_at=NOW + timedelta(days=channel))
    challenge = await store.challenges.add(new)
    yield
    await publish(store, PostKind.CARD, challenge.id)
    yield
    match = await accept(store, challenge, (BERT, ANNA))
    yield
    await store.matches.append(match.id, 0, NewEntry(FIRST, NOW))
    yield
    await show(store, match.id, Panel(channel, 6, 1), Companion(channel, 7, 1, 1))
    yield
    await store.matches.append(
        match.id, 1, NewEntry(SECOND, NOW), Ending((WON, LOST), awards=[Award(0, "done")], ranks=(1, 2))
    )
    yield
    await store.posts.forget((await post_of(store, PostKind.RESULT, match.id)).id)
    yield
    await store.matches.void(match.id, LATER, "two accounts")
    yield
    challenge = await store.challenges.add(new)
    yield
    waiting = standing(challenge, (BERT, IN), (ANNA, IN), (CLEO, ASKED))
    await store.challenges.change(challenge, waiting, NOW)
    yield
    closed = standing(waiting, (ANNA, IN), (CLEO, DECLINED), answer=Answer.DECLINED)
    await store.challenges.change(waiting, closed, NOW)
    yield


def kill_at(moment: int) -> None:
    """Kill this process before its statement (or commit) number `moment`, from 0."""
    moments = itertools.count()

    def pass_by(*_: object) -> None:
        if next(moments) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", pass_by)
    event.listen(Engine, "commit", pass_by)


async def live(engine: AsyncEngine, moment: int, confirm: int) -> None:
    kill_at(moment)
    async for _ in story(Store(Sessions(engine)), FIRST_CHANNEL + moment):
        os.write(confirm, b".")
    await engine.dispose()


async def warm(engine: AsyncEngine) -> None:
    """Run all steps once, so that the children find compiled what SQLAlchemy compiles at its first use."""
    async for _ in story(Store(Sessions(engine)), WARM_CHANNEL):
        pass
    await engine.dispose()


async def migrate(url: str, folder: Path, moment: int, confirm: int) -> None:
    kill_at(moment)
    await prepare(url, folder)
    os.write(confirm, b".")


async def forget(url: str, folder: Path, moment: int, confirm: int) -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    user = KAI + moment
    async with open_store(url, folder) as store:
        host = Host(store)
        await host.begin("skull", others=[user])
        await host.begin("maze", "2", others=[user, GRACE])
        await host.services.challenges.make(HERE, user, terms_of("alaric", "", 2, 2), [ADA])
        # By a member of their own: challenges that nobody has closed yet are limited.
        await host.services.challenges.make(HERE, user // 2, terms_of("alaric", "", 2, 2), [user])
        await lived(store, user)
        os.write(confirm, b".")
        kill_at(moment)
        await host.services.privacy.forget(user)
    os.write(confirm, b".")


RUNS = {"migrate": migrate, "forget": forget}
STRIDES = {"migrate": 23}
"""Statements by which a run gets further than the run before, if more than one."""


def main(url: str, folder: Path, kind: str = "") -> None:
    engine = make_engine(address(url, folder))
    if not kind:
        asyncio.run(warm(engine))  # its tables exist
    if kind == "forget":
        asyncio.run(forget(url, folder, -1, os.open(os.devnull, os.O_WRONLY)))  # as `warm` does
    for moment in itertools.count(step=STRIDES.get(kind, 1)):
        confirmed, confirm = os.pipe()
        child = os.fork()  # a copy of this process, which has no thread, event loop or connection now
        if child == 0:
            asyncio.run(RUNS[kind](url, folder, moment, confirm) if kind else live(engine, moment, confirm))
            os._exit(0)
        os.close(confirm)
        with os.fdopen(confirmed, "rb") as steps:
            print(FIRST_CHANNEL + moment, len(steps.read()), flush=True)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            sys.exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
