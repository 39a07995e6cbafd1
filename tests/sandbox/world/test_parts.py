"""Picture sizes, ids, and the manual clock."""

import asyncio
import io

from PIL import Image

from bot.sandbox import ManualClock
from bot.sandbox.checks.media import picture_size
from bot.sandbox.world.clock import DISCORD_EPOCH, Snowflakes, snowflake


def test_size_of_a_picture() -> None:
    for form in ("PNG", "GIF", "JPEG", "WEBP"):
        for size in ((1, 1), (900, 600), (7, 1234)):
            file = io.BytesIO()
            Image.new("RGB", size, "teal").save(file, form)
            assert picture_size(file.getvalue()) == size, form
    still, moving = io.BytesIO(), io.BytesIO()
    Image.new("RGBA", (300, 20)).save(still, "WEBP", lossless=True)
    assert picture_size(still.getvalue()) == (300, 20)
    frames = [Image.new("RGB", (30, 200), colour) for colour in ("teal", "tan")]
    frames[0].save(moving, "WEBP", save_all=True, append_images=frames[1:])
    assert picture_size(moving.getvalue()) == (30, 200)
    for data in (b"", b"text", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"RIFF0000WEBP"):
        assert picture_size(data) is None


def test_ids_always_increase() -> None:
    assert snowflake(DISCORD_EPOCH) == "0"
    assert int(snowflake(DISCORD_EPOCH + 1.5, 3)) == (1500 << 22) + 3
    new_id = Snowflakes(ManualClock())
    made = [int(new_id()) for _ in range(5000)]
    assert made == sorted(set(made))
    assert int(Snowflakes(ManualClock(), made[-1])()) > made[-1]


async def test_manual_clock_wakes_sleepers_in_time() -> None:
    clock = ManualClock(100.0)
    woken: list[float] = []

    async def sleep(seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(seconds)

    tasks = [asyncio.create_task(sleep(seconds)) for seconds in (3, 1, 2)]
    await asyncio.sleep(0)
    await clock.advance(1)
    assert woken == [1]
    await clock.advance(2)
    assert (woken, clock.time()) == ([1, 3, 2], 103.0)
    await asyncio.gather(*tasks)
