"""Nothing that leaves the bot in a random evening holds a secret; and the search finds a planted one of every kind."""

import zlib
from pathlib import Path

import pytest

from db.values.places import Place
from tests.leaks.capture import Captured, Sent
from tests.leaks.evening import EVENTS, evening, spend
from tests.leaks.files import UnknownPart, readable
from tests.leaks.notations import tells
from tests.leaks.search import HiddenRow, Secrets, leaks
from tests.seeds import SEED

ROW = "RBBRRBRBRRBB"
BITS = "".join("1" if card == "R" else "0" for card in ROW)


async def check(folder: Path, steps: int, games: int, url: str = "", password: str = "") -> None:
    async with evening(folder, SEED, url) as there:
        if password:
            there.secrets.never.append(password)
        await spend(there, steps, games)
        captured, secrets, log, done = there.captured, there.secrets, there.bot.log, there.anything.done
    found = list(leaks(captured, secrets, log))
    assert not found, "\n".join(found[:20])
    print(
        f"{captured.size + len(log):,} bytes searched: {len(captured.requests):,} requests, {len(captured.messages):,}"
        f" messages, {captured.files:,} files, {len(captured.frames):,} frames, {len(log):,} bytes of log;"
        f" {captured.to_pages:,} messages to pages;"
        f" {len(secrets.rows)} rows hidden, {len(done)} kinds of actions"
    )
    # Of the five kinds of events, four have two rows.
    assert len(secrets.rows) == 2 * games + 9 * (min(games - 1, len(EVENTS)) // 5)
    assert captured.files > steps / 20
    assert captured.to_pages > 10 * games
    # Chance draws from what has been posted by then, so a short evening can repeat actions.
    assert len(done) > min(10, steps / 4)


async def test_a_short_evening(tmp_path: Path) -> None:
    await check(tmp_path, steps=4, games=1)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """DATABASE_URL of a fresh database; nothing means the SQLite file in the data folder."""
    url: str = "" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    return url


@pytest.mark.soak
async def test_a_long_evening(tmp_path: Path, database: str) -> None:
    await check(tmp_path, steps=3_000, games=40, url=database, password="open sesame" if database else "")


@pytest.mark.parametrize(
    "said",
    [
        ROW, ROW.lower(), ROW[::-1], " ".join(ROW), ", ".join(ROW), f"arrange {ROW}", f"lay:17:4:red:{ROW}",
        BITS, "".join("10"[int(bit)] for bit in BITS), " ".join(BITS),
        "".join("♦" if card == "R" else "♣" for card in ROW),
        "".join("♦\ufe0f " if card == "R" else "♣\ufe0f " for card in ROW),
        "".join("🟥" if card == "R" else "⬛" for card in ROW),
        ", ".join("red" if card == "R" else "black" for card in ROW),
        "1R 2B 2R 1B 1R 1B 2R 2B", "R1 B2 R2 B1 R1 B1 R2 B2", "red cards at 1, 4, 5, 7, 9, 10", "0,3,4,6,8,9",
        "black: 2 3 6 8 11 12", "UkJCUlJCUkJSUkJC", "524242525242524252524242",
    ],
)  # fmt: skip
def test_a_row_is_found_in_any_notation(said: str) -> None:
    assert tells(f'{{"content": "Look: {said}."}}', ROW)
    other = ROW[:5] + "RB" + ROW[7:]
    assert not tells(f'{{"content": "Look: {said}."}}', other)


def planted(text: str, only: str | None = None, guild: str | None = "1", at: int = 5) -> Captured:
    """A capture with one message in it."""
    return Captured(messages=[Sent(at, guild, "11", only, text)])


def test_a_row_in_a_page_is_found() -> None:
    captured, secrets = Captured(), Secrets(rows=[HiddenRow(ROW, "8", 0, 9)])
    path = '<path d="M1 0L0 1L1 0"/>'
    for message in (
        {"type": "board", "svg": f'<svg>{path}<g data-name="row {ROW}">{path}</g></svg>'},
        {"type": "board", "svg": f"<svg>{path}<text>{ROW}</text></svg>"},
        {"type": "refused", "sentence": f"{ROW} is there already."},
    ):
        captured.messages.clear()
        captured.page(Place(1, 2), "7", message)
        assert any(ROW in it for it in leaks(captured, secrets, ""))
        captured.messages.clear()
        captured.page(Place(1, 2), "8", message)
        assert not list(leaks(captured, secrets, ""))


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4)


def test_a_part_of_a_picture_that_is_not_seen_is_found() -> None:
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"IDAT", b"")
    end = chunk(b"IEND", b"")
    assert readable(picture + end) == ""
    for text in (
        chunk(b"tEXt", b"row\0" + ROW.encode()),
        chunk(b"zTXt", b"row\0\0" + zlib.compress(ROW.encode())),
    ):
        with pytest.raises(UnknownPart, match=ROW):
            readable(picture + text + end)
    with pytest.raises(UnknownPart, match="follow the end"):
        readable(picture + end + ROW.encode())
    film = b"GIF89a" + bytes(7)
    assert readable(film + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0\x3b") == ""
    with pytest.raises(UnknownPart, match=ROW):
        readable(film + b"\x21\xfe" + bytes([len(ROW)]) + ROW.encode() + b"\0\x3b")


@pytest.mark.parametrize(
    "text",
    ['{"custom_id": "if:17:5:2:play:0:3:c3"}', "### Alaric #17: conditional moves", "If `3`, then `5`."],
)
def test_conditional_moves_are_found(text: str) -> None:
    assert any("conditional moves" in it for it in leaks(planted(text), Secrets(), ""))
    assert not list(leaks(planted(text, only="7"), Secrets(), ""))
    assert any("in the log" in it for it in leaks(Captured(), Secrets(), text))
