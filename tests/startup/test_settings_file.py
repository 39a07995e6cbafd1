"""An unreadable file of settings is refused, because a bot without its token would run locally."""

from pathlib import Path

import pytest

from bot.startup.config import ConfigError, read_config

TORN = "quotation mark at both ends or at none"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, in which the file is searched."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'PENCILBOX_THEME=paper\nDISCORD_TOKEN="abc\n', "Line 2 of the file .env cannot be read: "),
        (b"DISCORD_TOKEN=abc\n'torn\n", TORN),
        ("DISCORD_TOKEN=abc\n# caf\N{LATIN SMALL LETTER E WITH ACUTE}\n".encode("latin-1"), "not in UTF-8"),
        ("DISCORD_TOKEN=abc\n".encode("utf-16"), "not in UTF-8"),
    ],
)
def test_unreadable_line_is_named_and_not_shown(folder: Path, content: bytes, says: str) -> None:
    (folder / ".env").write_bytes(content)
    with pytest.raises(ConfigError) as met:
        read_config()
    assert says in str(met.value)
    assert "abc" not in str(met.value)


def test_folder_instead_of_a_file_is_refused(folder: Path) -> None:
    (folder / ".env").mkdir()
    with pytest.raises(ConfigError, match=r"The file \.env cannot be read \(Is a directory\)"):
        read_config()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_byte_order_mark_is_skipped(folder: Path, mark: bytes) -> None:
    (folder / ".env").write_bytes(mark + b"# Ours\nexport DISCORD_TOKEN='abc'\n\n")
    assert read_config().token == "abc"


def test_file_is_optional() -> None:
    assert read_config().token is None
