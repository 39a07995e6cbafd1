"""The configuration of a process: its environment, and a file `.env` if there is one."""

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from dotenv import dotenv_values
from dotenv.parser import parse_stream

FILE, ENCODING = ".env", "utf-8-sig"
"""The file of settings and its encoding. Some editors begin a file with a byte order mark, which is skipped."""


_PAGE = r"https://[^\s/<>()\[\]]{1,200}(/[^\s<>()\[\]]{0,300})?"
"""The pattern of addresses that members are sent to. They must not contain the characters that end a link."""


class ConfigError(Exception):
    """A setting or an argument is missing or wrong. The text is one sentence that tells the operator what to do."""


def _number(least: float, most: float = math.inf, kind: type[float] = int) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            raise ValueError(f"must be a {'whole ' if kind is int else ''}number") from None
        if not value >= least:
            raise ValueError(f"must be at least {least}")
        if value > most:
            raise ValueError(f"must be at most {most}")
        return value

    return read


def _word(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            *others, last = map(repr, words)
            raise ValueError(f"must be {', '.join(others)} or {last}")
        return text

    return read


def _like(pattern: str, *examples: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"must look like {' or '.join(examples)}")
        return text

    return read


_ID, _PORT = _number(1, 2**63 - 1), _number(0, 65535)


def _setting(
    read: Callable[[str], Any] = str, default: Any = None, *, name: str | None = None, secret: bool = False
) -> Any:
    """Return a field for a setting. `read` returns its value for a text, or raises ValueError with what is right."""
    return field(default=default, repr=not secret, metadata={"read": read, "name": name})


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. The table of settings in the documentation explains each. Most names begin with PENCILBOX_."""

    token: str | None = _setting(name="DISCORD_TOKEN", secret=True)
    proxy_url: str | None = _setting(
        _like(r"https?://[^/?#@]+", "http://rest-proxy:8080"), name="DISCORD_PROXY_URL"
    )
    database: str | None = _setting(name="DATABASE_URL", secret=True)
    """The address of the database, with its password, or None for a SQLite file in the data folder."""
    data_dir: Path = _setting(Path, Path("data"))  # noqa: RUF009 - a Path never changes
    port: int | None = _setting(_PORT)
    shard_count: int | None = _setting(_number(1, 16384), name="SHARD_COUNT")
    shard_ids: str | None = _setting(
        _like(r"\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*", "0-3", "0,2"), name="SHARD_IDS"
    )
    local_url: str | None = _setting(_like(r"http://[^/]+", "http://localhost:8765"))
    theme: Literal["paper", "slate"] = _setting(_word("paper", "slate"), "slate")
    challenge_minutes: int = _setting(_number(1, 20160), 1440)
    grace_days: int = _setting(_number(0, 3650), 30)
    retention_months: int = _setting(_number(1, 120), 24)
    privacy_url: str | None = _setting(_like(_PAGE, "https://example.org/privacy"))
    terms_url: str | None = _setting(_like(_PAGE, "https://example.org/terms"))
    support_url: str | None = _setting(_like(_PAGE, "https://discord.gg/example"))
    search: Literal["here", "workers"] = _setting(_word("here", "workers"), "here")
    search_workers: int = _setting(_number(1, 64), 2)
    search_seconds: float = _setting(_number(1, 600, float), 20)
    moments_percent: int = _setting(_number(0, 100), 5)
    metrics_port: int | None = _setting(_PORT)
    metrics_host: str = _setting(default="127.0.0.1")
    activity_client_id: int | None = _setting(_ID)
    activity_client_secret: str | None = _setting(secret=True)
    activity_url: str | None = _setting(_like(_PAGE, "https://activity.example.org"))
    activity_port: int = _setting(_PORT, 8767)
    activity_host: str = _setting(default="127.0.0.1")
    admin_server: int | None = _setting(_number(1))
    feedback_channel: int | None = _setting(_ID)
    log_level: Literal["debug", "info", "warning", "error"] = _setting(
        _word("debug", "info", "warning", "error"), "info"
    )
    log_format: Literal["text", "json"] = _setting(_word("text", "json"), "text")

    @property
    def has_activity(self) -> bool:
        """Return True if the Activity is configured for Discord. Raises ConfigError if a part of that is missing."""
        parts = {
            "PENCILBOX_ACTIVITY_CLIENT_ID": self.activity_client_id,
            "PENCILBOX_ACTIVITY_CLIENT_SECRET": self.activity_client_secret,
            "PENCILBOX_ACTIVITY_URL": self.activity_url,
        }
        missing = [name for name, value in parts.items() if value is None]
        if missing and len(missing) < len(parts):
            raise ConfigError(f"The Activity needs {' and '.join(missing)}, too; see docs/activity.md.")
        return not missing

    @property
    def challenge_lifetime(self) -> timedelta:
        return timedelta(minutes=self.challenge_minutes)

    @property
    def grace(self) -> timedelta:
        return timedelta(days=self.grace_days)

    @property
    def shards(self) -> frozenset[int] | None:
        """The shards of this process, or None if the bot chooses them."""
        if self.shard_ids is None:
            return None
        spans = [part.split("-") for part in self.shard_ids.split(",")]
        return frozenset(shard for span in spans for shard in range(int(span[0]), int(span[-1]) + 1))


def names() -> dict[str, str]:
    """Return the name of each setting in the environment by the name of its field."""
    return {it.name: it.metadata["name"] or f"PENCILBOX_{it.name.upper()}" for it in fields(Config)}


def read_config() -> Config:
    """Return the settings of this process. Raises ConfigError, which never contains a value that may be secret."""
    _check_file(Path(FILE))
    given = {
        name.upper(): text
        for source in (dotenv_values(FILE, encoding=ENCODING), os.environ)
        for name, text in source.items()
        if text
    }
    values = {}
    for it, name in zip(fields(Config), names().values(), strict=True):
        if name in given:
            try:
                values[it.name] = it.metadata["read"](given[name])
            except ValueError as wrong:
                raise ConfigError(f"{name} {wrong}.") from None
    return Config(**values)


def _check_file(path: Path) -> None:
    """Raise ConfigError if the file exists and is unreadable. Without its token the bot would run locally."""
    try:
        text = path.read_text(encoding=ENCODING)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(
            f"The file {path} cannot be read ({error.strerror}): repair or remove it."
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"The file {path} is not in UTF-8: save it again in that encoding.") from None
    torn = next((line for line in parse_stream(StringIO(text)) if line.error), None)
    if torn is not None:
        raise ConfigError(
            f"Line {torn.original.line} of the file {path} cannot be read: write NAME=value there, "
            "with a quotation mark at both ends or at none."
        )
