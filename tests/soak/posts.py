"""The messages that Discord shows, compared with the posts in the store."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

from sqlalchemy import select

from bot.app.matches.loaded import LoadedMatch
from bot.sandbox import Sandbox
from bot.sandbox.checks.components import walk
from bot.sandbox.world.records import Message
from bot.ui.posts.outbox import item_of
from bot.ui.posts.posting import BESIDE, MAIN
from bot.ui.posts.turn_notices import is_current
from db.engine import open_store, open_to_read
from db.models import PostRow
from db.store import Store
from db.values.posts import Post, PostKind
from tests.bench.moves.playing import boards_on
from tests.db.given import match_of


async def wrong_posts(local: Sandbox, url: str, folder: Path) -> AsyncIterator[str]:
    """Yield a sentence for everything that Discord does not show as it is stored.

    Each post of a server has one message with its newest version, each match one board, and no mention stands in a
    channel that does not hold. In direct messages among members, where the bot can only answer, nothing is compared.
    """
    marked = defaultdict[int, list[str]](list)
    there = _public_messages(local)
    for message in there.values():
        for mark in _marks(message):
            marked[mark].append(message.id)
    for mark, messages in marked.items():
        if mark > MAIN and len(messages) > 1:
            yield f"post {mark - MAIN} has the messages {messages}"
    async with open_to_read(url or None, folder) as sessions, sessions.read() as session:
        posts = [
            row.value() for row in await session.scalars(select(PostRow).where(PostRow.guild.is_not(None)))
        ]
    async with open_store(url or None, folder) as store:
        failed = {it.item: it for it in await store.failed_items.listed(len(posts) + 1)}
        for post in posts:
            name = f"{post.kind} of {post.subject}"
            if post.pending:
                yield f"{name} is pending: {post}, {failed.get(item_of(post), 'no failure')}"
                continue
            expected = [] if post.message is None else [str(post.message)]
            if marked[MAIN + post.id] != expected:
                yield f"{name}: Discord shows {marked[MAIN + post.id]}, stored is {expected}"
            known = {str(it.message) for it in post.companions}
            if stray := set(marked[BESIDE + post.id]) - known:
                yield f"{name} has mentions that are not stored: {stray}"
            if post.kind is PostKind.BOARD:
                async for sentence in _wrong_board(store, post, there):
                    yield sentence


async def _wrong_board(store: Store, post: Post, there: Mapping[str, Message]) -> AsyncIterator[str]:
    stored = await match_of(store, post.subject)
    loaded = LoadedMatch.of(stored)
    boards = [(it.id, plies) for it in there.values() for match, plies in boards_on(it) if match == stored.id]
    if boards != [(str(post.message), loaded.shown)]:
        yield f"match {stored.id} has the boards {boards} instead of {post.message} after {loaded.shown} plies"
    proposals = [] if loaded.match.over else await store.proposals.made_at(stored.id, loaded.shown)
    for one in post.companions:
        if str(one.message) in there and not is_current(loaded, one, proposals):
            yield f"match {stored.id} has {one}, which does not hold"


def _public_messages(local: Sandbox) -> Mapping[str, Message]:
    found = (it for channel in local.world.messages.values() for it in channel.values())
    return {it.id: it for it in found if it.ephemeral_for is None}


def _marks(message: Message) -> Iterator[int]:
    """Yield the marks of posts that a message carries."""
    ids = (part.get("id") or 0 for part in walk(message.body["components"]))
    yield from (it for it in ids if it > BESIDE)
