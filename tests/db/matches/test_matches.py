import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from db.api.matches.matches import MovedOn, Panel, StoredMatch
from db.api.places import Place
from db.engine import open_store
from db.models import Base
from db.store import SqlStore
from rules.core.match import DRAW, VOID, Ply, Setup
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
    started,
)


async def loaded(store: SqlStore, match: int) -> StoredMatch:
    found = await store.load(match)
    assert found is not None
    return found


async def test_plies_are_kept_in_order_and_the_last_one_ends_the_match(store: SqlStore) -> None:
    match = await started(store)
    await store.append(match.id, 0, FIRST, NOW, None)
    assert (await loaded(store, match.id)).log == (FIRST,)

    await store.append(match.id, 1, SECOND, LATER, (LOST, WON))
    over = await loaded(store, match.id)
    assert over.log == (FIRST, SECOND)
    assert (over.finished_at, over.outcomes) == (LATER, (LOST, WON))


async def test_an_agreement_is_nobodys_ply(store: SqlStore) -> None:
    match = await started(store)
    await store.append(match.id, 0, Ply(None, DRAW), NOW, None)
    assert (await loaded(store, match.id)).log == (Ply(None, DRAW),)


async def test_any_text_survives(store: SqlStore) -> None:
    match = await started(store)
    text = "a1–b2 ♟ \N{PILE OF POO} '; DROP TABLE plies; -- \\ %s\n" * 40
    await store.append(match.id, 0, Ply(1, text), NOW, None)
    assert (await loaded(store, match.id)).log == (Ply(1, text),)


async def test_options_keep_the_order_of_the_game(store: SqlStore) -> None:
    setup = Setup("made-up", (("z", 1), ("a", 2), ("m", -3)), 2)
    match = await started(store, setup=setup)
    assert (await loaded(store, match.id)).setup == setup


@pytest.mark.parametrize("plies", [0, 2])
async def test_a_stale_or_early_ply_changes_nothing(store: SqlStore, plies: int) -> None:
    match = await started(store)
    await store.append(match.id, 0, FIRST, NOW, None)
    before = await loaded(store, match.id)
    with pytest.raises(MovedOn):
        await store.append(match.id, plies, SECOND, LATER, (WON, LOST))
    assert await loaded(store, match.id) == before


async def test_nothing_is_appended_to_a_match_that_is_over(store: SqlStore) -> None:
    match = await started(store)
    await store.append(match.id, 0, FIRST, NOW, (WON, LOST))
    before = await loaded(store, match.id)
    with pytest.raises(MovedOn):
        await store.append(match.id, 1, SECOND, LATER, None)
    assert await loaded(store, match.id) == before


async def test_every_seat_needs_its_outcome(store: SqlStore) -> None:
    match = await started(store)
    with pytest.raises(ValueError, match="2 seats cannot have 1 outcomes"):
        await store.append(match.id, 0, FIRST, NOW, (WON,))
    assert await loaded(store, match.id) == match


async def test_nobody_plays_from_a_seat_that_is_not_there(store: SqlStore) -> None:
    match = await started(store)
    with pytest.raises(IntegrityError):
        await store.append(match.id, 0, Ply(2, "a1"), NOW, None)
    assert await loaded(store, match.id) == match


async def test_an_error_does_not_quote_the_move(store: SqlStore) -> None:
    """The move may be secret, and errors are written to the log."""
    match = await started(store)
    hidden, salt = "RB" * 4, "5a" * 4
    with pytest.raises(IntegrityError) as met:
        await store.append(match.id, 0, Ply(2, hidden), NOW, None, salt)
    told = "".join(traceback.format_exception(met.value))
    assert "INSERT INTO plies" in told
    assert hidden not in told
    assert salt not in told


async def test_a_salt_is_kept_with_its_ply(store: SqlStore) -> None:
    match = await started(store)
    await store.append(match.id, 0, FIRST, NOW, None, "5a17")
    await store.append(match.id, 1, SECOND, NOW, None)
    assert (await loaded(store, match.id)).salts == ("5a17", None)


async def test_unknown_ids_have_no_match(store: SqlStore) -> None:
    assert await store.load(1) is None
    assert await store.running() == []
    assert await store.unshown() == []
    with pytest.raises(LookupError):
        await store.append(1, 0, FIRST, NOW, None)
    with pytest.raises(LookupError):
        await store.show(1, Panel(CHANNEL, 5, 0))


async def test_running_matches_are_narrowed_by_all_that_is_given(store: SqlStore) -> None:
    late = await started(store, (ANNA, BERT), at=LATER)
    early = await started(store, (CLEO, ANNA))
    thread = await started(store, (BERT, CLEO), place=Place(GUILD, CHANNEL + 1))
    direct = await started(store, (ANNA, BERT), place=Place(None, CHANNEL + 2))
    over = await started(store, (ANNA, BERT))
    await store.append(over.id, 0, FIRST, NOW, (WON, LOST))

    assert await store.running() == [early, thread, direct, late]
    assert await store.running(user=ANNA) == [early, direct, late]
    assert await store.running(channel=CHANNEL) == [early, late]
    assert await store.running(guild=GUILD) == [early, thread, late]
    assert await store.running(user=BERT, guild=GUILD) == [thread, late]
    assert await store.running(user=BERT, guild=GUILD, channel=CHANNEL) == [late]
    assert await store.running(user=4711) == []


async def test_a_match_is_unshown_until_its_panel_has_caught_up(store: SqlStore) -> None:
    match = await started(store)
    assert await store.unshown() == [match]

    panel = Panel(CHANNEL + 1, 2**62, 0)
    await store.show(match.id, panel)
    assert await store.unshown() == []
    assert (await loaded(store, match.id)).panel == panel

    await store.append(match.id, 0, FIRST, NOW, (WON, LOST))
    behind = await store.unshown()
    assert [it.id for it in behind] == [match.id]
    assert behind[0] == await loaded(store, match.id)

    await store.show(match.id, Panel(CHANNEL, 6, 1))
    assert await store.unshown() == []
    assert (await loaded(store, match.id)).panel == Panel(CHANNEL, 6, 1)


async def test_what_is_unshown_in_direct_messages_is_found_by_their_channel_alone(store: SqlStore) -> None:
    here = await started(store)
    direct = await started(store, place=Place(None, 6))
    assert await store.unshown() == [here]
    assert await store.unshown(6) == [direct]
    assert await store.unshown(CHANNEL) == [here]


async def test_a_panel_cannot_show_what_was_not_played(store: SqlStore) -> None:
    match = await started(store)
    with pytest.raises(IntegrityError):
        await store.show(match.id, Panel(CHANNEL, 5, 1))
    assert await loaded(store, match.id) == match


async def test_all_of_it_outlives_the_process(store_url: str, tmp_path: Path) -> None:
    async with open_store(store_url, tmp_path) as store:
        match = await started(store)
        await store.append(match.id, 0, FIRST, NOW, None)
        await store.show(match.id, Panel(CHANNEL, 5, 1))
        before = await loaded(store, match.id)
    async with open_store(store_url, tmp_path) as store:
        assert await loaded(store, match.id) == before


@pytest.mark.parametrize("read", [lambda store: store.running(), lambda store: store.unshown()])
async def test_the_number_of_queries_does_not_grow_with_the_matches(
    store: SqlStore, read: Callable[[SqlStore], Awaitable[list[StoredMatch]]]
) -> None:
    async def queries() -> int:
        statements: list[str] = []

        def note(*arguments: object) -> None:
            statements.append(str(arguments[2]))

        event.listen(Engine, "before_cursor_execute", note)
        try:
            await read(store)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return sum(statement.startswith("SELECT") for statement in statements)

    async def play() -> None:
        match = await started(store)
        await store.append(match.id, 0, FIRST, NOW, None)

    await play()
    with_one = await queries()
    for _ in range(5):
        await play()
    assert await queries() == with_one == 3


async def test_ids_are_never_given_twice(store: SqlStore, engine: AsyncEngine) -> None:
    """Buttons contain ids: a button of a deleted match must not act on another match."""
    gone = await started(store)
    async with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            await connection.execute(table.delete())
    assert (await started(store)).id > gone.id


async def test_what_was_broken_off_is_nobodys_result(store: SqlStore) -> None:
    match = await started(store)
    await store.break_off(match.id, 0, Ply(None, VOID), NOW, "spam")
    found = await store.load(match.id)
    assert found is not None
    assert (found.finished_at, found.outcomes, found.void) == (NOW, None, "spam")
    assert await store.ratings(ANNA) == []
    assert await store.running(user=ANNA) == []


async def test_a_hint_is_remembered_and_only_taken_at_the_newest_ply(store: SqlStore) -> None:
    match = await started(store)
    await store.append(match.id, 0, FIRST, NOW, None)
    with pytest.raises(MovedOn):
        await store.take_hint(match.id, 0, 1)
    assert (await loaded(store, match.id)).hinted == frozenset()
    for _ in range(2):
        await store.take_hint(match.id, 1, 1)
    assert (await loaded(store, match.id)).hinted == {1}
    await store.append(match.id, 1, SECOND, LATER, (LOST, WON))
    with pytest.raises(MovedOn):
        await store.take_hint(match.id, 2, 0)
    with pytest.raises(LookupError):
        await store.take_hint(999, 0, 0)


async def test_the_players_choose_how_a_match_is_shown(store: SqlStore) -> None:
    match = await started(store)
    assert (await loaded(store, match.id)).in_place is None
    for chosen in (True, False):
        await store.show_in_place(match.id, chosen)
        assert (await loaded(store, match.id)).in_place is chosen
    with pytest.raises(LookupError):
        await store.show_in_place(999, True)
