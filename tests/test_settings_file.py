"""A file of settings that cannot be read whole is named: a bot that overlooked its token would run locally."""

from pathlib import Path

import pytest

from bot.config import ConfigError, read_config
from bot.settings import Field, SecretStr, Settings, WrongSetting, texts

TORN = "quotation mark at both ends or at none"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which the file is looked for."""
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
def test_what_cannot_be_read_is_named_and_not_shown(folder: Path, content: bytes, says: str) -> None:
    (folder / ".env").write_bytes(content)
    with pytest.raises(ConfigError) as met:
        read_config()
    assert says in str(met.value)
    assert "abc" not in str(met.value)


def test_a_folder_is_no_file(folder: Path) -> None:
    (folder / ".env").mkdir()
    with pytest.raises(ConfigError, match=r"The file \.env cannot be read \(Is a directory\)"):
        read_config()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_mark_of_the_encoding_is_no_part_of_a_name(folder: Path, mark: bytes) -> None:
    (folder / ".env").write_bytes(mark + b"# Ours\nexport DISCORD_TOKEN='abc'\n\n")
    assert read_config().token == "abc"


def test_no_file_is_needed() -> None:
    assert read_config().token is None


class Some(Settings):
    """One setting of each kind."""

    quiet: bool = False
    share: float = Field(default=0.5, ge=0, le=1, validation_alias="PART")
    least: int | None = Field(default=None, ge=1)
    token: SecretStr | None = None


def test_settings_are_read_by_their_kinds() -> None:
    some = Some({"QUIET": "Yes", "PART": "1", "LEAST": "3", "TOKEN": "abc"})
    assert (some.quiet, some.share, some.least) == (True, 1.0, 3)
    assert some.token is not None
    assert some.token.get_secret_value() == "abc"
    assert "abc" not in f"{some.token} {some.token!r}"
    assert some.given == {"quiet", "share", "least", "token"}


def test_what_is_not_set_has_its_default() -> None:
    some = Some({"QUIET": "", "OTHER": "3"})
    assert (some.quiet, some.share, some.least, some.token) == (False, 0.5, None, None)
    assert not some.given


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("QUIET", "perhaps", "it must be 'true' or 'false'"),
        ("PART", "1.5", "it must be a number from 0 to 1"),
        ("PART", "nan", "it must be a number from 0 to 1"),
        ("LEAST", "0", "it must be a whole number of at least 1"),
        ("LEAST", "1.5", "it must be a whole number of at least 1"),
    ],
)
def test_a_wrong_value_is_refused_without_quoting_it(name: str, text: str, says: str) -> None:
    with pytest.raises(WrongSetting) as met:
        Some({name: text})
    assert str(met.value) == f"{name} is wrong: {says}."


def test_the_environment_stands_above_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text("ONE=file\nTWO=file\nTHREE=file\n")
    monkeypatch.setenv("two", "environment")
    monkeypatch.setenv("THREE", "")
    found = texts(folder / ".env", "utf-8")
    assert (found["ONE"], found["TWO"], found["THREE"]) == ("file", "environment", "file")
