"""The emojis of the application."""

import base64
from typing import Any

from tests.sandbox.raw_bot import PNG, RawBot

URI = "data:image/png;base64,"
IMAGE = URI + base64.b64encode(PNG).decode()
HUGE = URI + base64.b64encode(PNG + bytes(256 * 1024)).decode()


async def test_emoji_is_stored_and_served(rest: RawBot) -> None:
    address = f"/applications/{rest.application}/emojis"
    status, made = await rest.call("POST", address, {"name": "a_mark", "image": IMAGE})
    assert (status, made["name"]) == (201, "a_mark")
    assert await rest.call("GET", address) == (200, {"items": [made]})
    async with rest.session.get(f"{rest.local.url}/emojis/{made['id']}.png") as served:
        assert (served.content_type, await served.read()) == ("image/png", PNG)
    async with rest.session.get(f"{rest.local.url}/emojis/{rest.general}.png") as served:
        assert served.status == 404


async def test_wrong_emoji_is_refused(rest: RawBot) -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"name": "a", "image": IMAGE}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "a" * 33, "image": IMAGE}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "a mark", "image": IMAGE}, "name", "STRING_TYPE_REGEX"),
        ({"name": "a_mark"}, "image", "BASE_TYPE_REQUIRED"),
        ({"name": "a_mark", "image": URI + "?"}, "image", "IMAGE_INVALID"),
        ({"name": "a_mark", "image": HUGE}, "image", "BINARY_TYPE_MAX_SIZE"),
    ]
    for body, field, code in cases:
        status, refusal = await rest.call("POST", f"/applications/{rest.application}/emojis", body)
        assert (status, refusal["code"]) == (400, 50035)
        assert [error["code"] for error in refusal["errors"][field]["_errors"]] == [code]
    assert (await rest.call("GET", "/applications/1/emojis"))[1]["code"] == 10002
