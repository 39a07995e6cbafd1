import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from db.engine import open_store
from db.models import Base
from db.store import Store
from db.values.matches import Ending, MovedOn, NewEntry, Panel
from db.values.members import computer_player
from db.values.places import Place
from db.values.posts import Companion, PostKind
from rules.core.match import Ply, Setup
from tests.db.given import (
    ANNA,
    BERT,
    CHANNEL,
    CLEO,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    SECOND,
    WON,
    challenged,
    finished,
    match_of,
    pending,
    post_of,
    show,
    started,
)
from tests.db.statements import statements


@pytest.mark.both_databases
async def test_any_text_survives(store: Store) -> None:
    match = await started(store)
    text = "a1–b2 ♟ \N{PILE OF POO} '; DROP TABLE plies; -- \\ %s\n" * 40
    await store.matches.append(match.id, 0, NewEntry(Ply(1, text), NOW))
    assert (await match_of(store, match.id)).log == (Ply(1, text),)


async def test_options_keep_the_order_of_the_game(store: Store) -> None:
    setup = Setup("made-up", (("z", 1), ("a", 2), ("m", -3)), 2)
    match = await started(store, setup=setup)
    assert (await match_of(store, match.id)).setup == setup


async def test_refused_entries_change_nothing(store: Store) -> None:
    match = (await started(store)).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    entry = NewEntry(SECOND, LATER)
    for plies, refused, ending, error, words in (
        (0, entry, Ending((WON, LOST)), MovedOn, None),
        (2, entry, Ending((WON, LOST)), MovedOn, None),
        (1, entry, Ending((WON,)), ValueError, "2 seats cannot have 1 outcomes"),
        (1, NewEntry(Ply(2, "a1"), NOW), None, IntegrityError, None),
        (1, entry, Ending((WON, LOST)), None, None),
        (2, entry, None, MovedOn, None),
    ):
        before = await match_of(store, match)
        if error is None:  # the match ends
            await store.matches.append(match, plies, refused, ending)
            continue
        with pytest.raises(error, match=words):
            await store.matches.append(match, plies, refused, ending)
        assert await match_of(store, match) == before


@pytest.mark.both_databases
async def test_an_error_does_not_quote_the_move(store: Store) -> None:
    """The move may be secret, and errors are written to the log."""
    match = await started(store)
    hidden, salt = "RB" * 4, "5a" * 4
    with pytest.raises(IntegrityError) as met:
        await store.matches.append(match.id, 0, NewEntry(Ply(2, hidden), NOW, salt=salt))
    told = "".join(traceback.format_exception(met.value))
    assert "INSERT INTO plies" in told
    assert hidden not in told
    assert salt not in told


async def test_unknown_ids_have_no_match(store: Store) -> None:
    assert await store.matches.load(1) is None
    assert await store.matches.running() == []
    assert await store.posts.get(PostKind.BOARD, 1) is None
    assert await pending(store) == []
    with pytest.raises(LookupError):
        await store.matches.append(1, 0, NewEntry(FIRST, NOW))


async def test_running_matches_are_narrowed_by_all_that_is_given(store: Store) -> None:
    late = await started(store, (ANNA, BERT), at=LATER)
    early = await started(store, (CLEO, ANNA))
    thread = await started(store, (BERT, CLEO), place=Place(GUILD, CHANNEL + 1))
    direct = await started(store, (ANNA, BERT), place=Place(None, CHANNEL + 2))
    over = await started(store, (ANNA, BERT))
    await store.matches.append(over.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))

    assert await store.matches.running() == [early, thread, direct, late]
    assert await store.matches.running(user=ANNA) == [early, direct, late]
    assert await store.matches.running(channel=CHANNEL) == [early, late]
    assert await store.matches.running(guild=GUILD) == [early, thread, late]
    assert await store.matches.running(user=BERT, guild=GUILD) == [thread, late]
    assert await store.matches.running(user=BERT, guild=GUILD, channel=CHANNEL) == [late]
    assert await store.matches.running(user=4711) == []


async def test_loaded_match_has_its_post(store: Store) -> None:
    match = await started(store)
    assert await pending(store) == [match.id]
    panel = Panel(CHANNEL + 1, 2**62, 0)
    await show(store, match.id, panel)
    assert await pending(store) == []
    assert [it.panel for it in await store.matches.running()] == [panel]
    await store.matches.append(match.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))
    assert await pending(store) == [match.id]
    behind = await match_of(store, match.id)
    assert behind.panel == panel
    assert behind.post == await store.posts.get(PostKind.BOARD, match.id)


async def test_recalled_match_knows_what_discord_shows(store: Store) -> None:
    """A task that was given the match before must not edit a message that was replaced meanwhile."""
    match = (await started(store)).id
    await show(store, match, Panel(CHANNEL, 5, 0))
    known = await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    assert store.matches.cached(match) is known
    post = await show(store, match, Panel(CHANNEL, 6, 1))
    recalled = store.matches.cached(match)
    assert recalled is not None
    assert recalled.post == post
    assert recalled == known


async def test_a_board_cannot_show_what_was_not_stored(store: Store) -> None:
    match = (await started(store)).id
    post = await post_of(store, PostKind.BOARD, match)
    with pytest.raises(IntegrityError):
        await store.posts.keep(replace(post, shown=post.version + 1))
    assert await store.posts.get(PostKind.BOARD, match) == post


async def test_all_of_it_outlives_the_process(store_url: str, tmp_path: Path) -> None:
    async with open_store(store_url, tmp_path) as store:
        match = await started(store)
        await store.matches.append(match.id, 0, NewEntry(FIRST, NOW))
        await show(store, match.id, Panel(CHANNEL, 5, 1), Companion(CHANNEL, 6, 1, 1), pinned=True)
        before = await match_of(store, match.id)
    async with open_store(store_url, tmp_path) as store:
        after = await match_of(store, match.id)
        assert (after, after.post) == (before, before.post)
        assert store.matches.cached(match.id) == after


@pytest.mark.parametrize(
    ("read", "number"),
    [
        (lambda store: store.matches.running(), 3),
        (lambda store: store.challenges.open(), 3),
        (lambda store: store.posts.pending(LATER, 100), 1),
    ],
    ids=["matches", "challenges", "posts"],
)
async def test_the_number_of_queries_does_not_grow_with_the_matches(
    store: Store, read: Callable[[Store], Awaitable[Sequence[object]]], number: int
) -> None:
    async def queries() -> int:
        with statements() as asked:
            await read(store)
        return len(asked.beginning("SELECT"))

    async def play() -> None:
        match = await started(store)
        await store.matches.append(match.id, 0, NewEntry(FIRST, NOW))
        await challenged(store)

    await play()
    with_one = await queries()
    for _ in range(2):
        await play()
    assert await queries() == with_one == number


@pytest.mark.both_databases
async def test_ids_are_never_given_twice(store: Store, engine: AsyncEngine) -> None:
    """Buttons contain ids: a button of a deleted match must not act on another match."""
    gone = await started(store)
    async with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            await connection.execute(table.delete())
    assert (await started(store)).id > gone.id


async def test_match_names_the_other_running_matches_of_its_members(store: Store) -> None:
    """A computer player may have thousands, so they are not read."""
    computer = computer_player(5, 4)
    first = await started(store, (ANNA, computer))
    others = {(await started(store, users)).id for users in ((CLEO, ANNA), (ANNA, computer))}
    await finished(store, (ANNA, BERT), (WON, LOST))
    elsewhere = (await match_of(store, first.id)).context.elsewhere
    assert {user: {*matches} for user, matches in elsewhere.items()} == {ANNA: others}
