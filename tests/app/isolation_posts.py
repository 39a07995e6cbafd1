"""The rounds of tests/app/test_isolation.py that post, mention or write to members."""

import asyncio
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from bot.app.challenges.terms import terms_of
from bot.ui.components import message_parts
from bot.ui.events.titles import RoleTask
from bot.ui.matches.direct_message_task import DirectMessageTask
from bot.ui.posts.outbox import Publisher
from bot.ui.posts.outbox_task import OutboxTask
from db.values.events import TitleKind
from db.values.places import Place
from db.values.posts import News, Occasion, PostKind
from render.marks import mark_png
from tests.app.conftest import ADA, GRACE, HERE
from tests.app.isolation_scene import (
    SERVERS,
    Broken,
    Prepared,
    Scene,
    moved,
    outbox_of,
    unreadable,
)


async def direct_messages(scene: Scene) -> Prepared:
    """Queued direct messages are sent."""
    host = scene.host
    games = [await moved(host) for _ in range(3)]
    for match in games:
        await host.posted(PostKind.BOARD, match, 100 + match)
        await host.store.direct_messages.queue(
            [GRACE], HERE.guild, News(Occasion.TURN, match, 1), host.clock.now()
        )
    ids = {it.news.subject: it.id for it in await host.store.direct_messages.due(host.clock.now(), 10)}
    sent = []

    async def deliver(user: int, text: str, name: str, place: Place, **_: Any) -> None:
        sent.append(name)

    ui_services = SimpleNamespace(
        turn_notices=SimpleNamespace(deliver=deliver),
        direct_messages=SimpleNamespace(queued=asyncio.Event()),
        clients=None,
        touched_matches=None,
    )
    boards = SimpleNamespace(outbox=outbox_of(host))
    task = DirectMessageTask(host.services, cast(Any, ui_services), cast(Any, boards))

    async def done(match: int) -> bool:
        assert sent.count(f"direct {ids[match]}") <= 1, "a message was sent twice"
        return f"direct {ids[match]}" in sent

    return Prepared(games, task.send_due, done, unreadable(host), lambda it: str(ids[it]), "direct messages")


async def posts(scene: Scene) -> Prepared:
    """Messages in Discord are brought up to date, whatever their kind."""
    host = scene.host
    offers = []
    for game in ("alaric", "palindromes", "skull"):
        offer = await host.services.challenges.make(HERE, ADA, terms_of(game, "quick", 2, 2), (GRACE,))
        offers.append(offer.id)
    return await published(scene, PostKind.CARD, offers)


async def podiums(scene: Scene) -> Prepared:
    """Podiums are added for each server, and published."""
    for guild in SERVERS:
        await scene.host.store.servers.change(guild, podium=True)
    await scene.host.services.leaderboards.add_due_podiums()
    return await published(scene, PostKind.PODIUM, SERVERS)


async def roles(scene: Scene) -> Prepared:
    """Roles of titles are given in each server."""
    host, given = scene.host, list[int]()
    for guild in SERVERS:
        await host.store.titles.add(guild, TitleKind.FINISHER, "2025-12", [ADA], host.clock.now())
        await host.store.titles.choose(guild, TitleKind.FINISHER, 7)

    def guild_of(guild: int) -> SimpleNamespace:
        async def add_roles(*_: object, reason: str) -> None:
            if guild == scene.broken:
                raise Broken
            given.append(guild)

        async def fetch_member(user: int) -> SimpleNamespace:
            return SimpleNamespace(add_roles=add_roles)

        return SimpleNamespace(fetch_member=fetch_member)

    clients = SimpleNamespace(get_guild=guild_of)
    task = RoleTask(host.services, cast(Any, clients))

    async def done(guild: int) -> bool:
        assert given.count(guild) <= 1, "a role was given twice"
        return guild in given

    def key(guild: int) -> str:
        return f"{TitleKind.FINISHER} 2025-12 in {guild}"

    return Prepared(SERVERS, task.round, done, scene.without, key)


async def daily_puzzles(scene: Scene) -> Prepared:
    """Puzzles of the day are added for each server, and published."""
    for guild in SERVERS:
        await scene.host.store.servers.change(guild, puzzle_channel=11, puzzle_hour=0)
    await scene.host.services.daily_puzzles.add_due()
    return await published(scene, PostKind.PUZZLE, SERVERS)


async def weekly_posts(scene: Scene) -> Prepared:
    """Moments of the week are added for each server, and published."""
    for guild in SERVERS:
        await scene.host.store.servers.change(guild, puzzle_channel=11, puzzle_hour=0, weekly_moment=True)
    await scene.host.services.weekly_posts.add_due()
    return await published(scene, PostKind.MOMENT, SERVERS)


async def published(scene: Scene, kind: PostKind, subjects: Sequence[int]) -> Prepared:
    """Return the case that posts of a kind are pending for these subjects."""
    host = scene.host
    pending = await host.store.posts.pending(host.clock.now(), 10)
    posts = {it.subject: it for it in pending if it.kind is kind}
    assert sorted(posts) == sorted(subjects)

    class Posts(Publisher):
        async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
            if subject == scene.broken:
                raise Broken
            await host.posted(kind, subject, 100 + subject, key)

    Posts.kind = kind
    outbox = outbox_of(host)
    outbox.add(Posts(outbox))
    task = OutboxTask(outbox._clients, host.services, outbox)

    async def done(subject: int) -> bool:
        found = await host.store.posts.get(kind, subject, posts[subject].key)
        return found is not None and found.message is not None

    def key(subject: int) -> str:
        return f"{posts[subject].id} in {posts[subject].guild}"

    return Prepared(subjects, task.publish_pending, done, scene.without, key, task="posts")


async def emojis(scene: Scene) -> Prepared:
    """Emojis are uploaded that Discord does not have."""
    names, services = ["alaric", "maze", "skull"], scene.host.services
    ready: dict[str, Any] = {}
    scene.patch.setattr(message_parts, "_ready", ready)
    scene.patch.setattr(message_parts, "_images", {name: partial(mark_png, name) for name in names})

    async def none() -> Sequence[object]:
        return []

    async def create(name: str, image: bytes) -> SimpleNamespace:
        return SimpleNamespace(name=name, id=len(image))

    clients = SimpleNamespace(emojis=none, create_emoji=create)
    scene.fail(clients, "create_emoji", lambda name, _: name.removeprefix("pencilbox_"))

    async def round_() -> None:
        await message_parts.load_emojis(cast(Any, clients), lambda: True, services.rounds)

    async def done(name: str) -> bool:
        return name in ready

    return Prepared(names, round_, done, scene.without)
