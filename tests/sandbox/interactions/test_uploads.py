"""Files that members give to commands."""

from pathlib import Path

import aiohttp
import pytest

from bot.sandbox import ManualClock, Sandbox
from bot.sandbox.checks.media import ATTACHMENT_LIMIT
from bot.sandbox.world.world import UPLOAD_LIVES
from tests.contract.player import Player, Refused, players
from tests.sandbox.raw_bot import PNG, Json, RawBot, answered

READ: Json = {
    "name": "read",
    "description": "Read",
    "options": [{"type": 11, "name": "file", "description": "What", "required": True}],
}


async def test_file_comes_with_the_command(raw: RawBot, ada: Player) -> None:
    await raw.register(READ)
    file = await ada.upload("a board.png", PNG)
    told, *_ = await answered(raw, ada.command("read", file=file), 4, {"content": "read"})
    assert told["data"]["options"] == [{"name": "file", "type": 11, "value": file}]
    given = told["data"]["resolved"]["attachments"][file]
    assert (given["filename"], given["size"], given["content_type"]) == ("a_board.png", len(PNG), "image/png")
    assert given["ephemeral"] is True
    assert {"width", "height"} <= given.keys()
    assert await ada.fetch(given["url"]) == PNG


async def test_members_can_only_give_their_own_files(raw: RawBot, ada: Player, grace: Player) -> None:
    await raw.register(READ)
    for value in ("1", "", 5, await grace.upload("notes.txt", b"x")):
        with pytest.raises(Refused, match="'file' takes a file"):
            await ada.command("read", file=value)
    with pytest.raises(Refused, match="'file' is required"):
        await ada.command("read")


async def test_invalid_upload_is_refused(ada: Player) -> None:
    with pytest.raises(Refused, match="has 10 MiB at most"):
        await ada.upload("large.bin", bytes(ATTACHMENT_LIMIT + 1))
    with pytest.raises(Refused, match="1 to 255 characters"):
        await ada.upload("x" * 256, b"x")
    with pytest.raises(Refused, match="multipart/form-data"):
        await ada.post(f"upload?as={ada.id}")
    form = aiohttp.FormData()
    form.add_field("other", b"x", filename="x")
    with pytest.raises(Refused, match="no field `file`"):
        await ada.post_form("upload", form)


async def test_file_is_stored_for_a_day(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "world.sqlite3"
    async with Sandbox(path=path, clock=clock) as local, players(local.url) as (ada, *_):
        first = await ada.upload("one.txt", b"1")
    async with Sandbox(path=path, clock=clock) as local, players(local.url) as (ada, *_):
        kept = local.world.uploads[first]["attachment"]
        assert kept["url"].startswith(local.url)
        assert await ada.fetch(kept["url"]) == b"1"
        await clock.advance(UPLOAD_LIVES + 1)
        second = await ada.upload("two.txt", b"2")
        assert list(local.world.uploads) == [second]
        assert local.world.store.file(first) is None
