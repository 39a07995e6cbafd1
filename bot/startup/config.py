"""The configuration of a process: its environment, and a file `.env` if there is one."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Literal

from dotenv.parser import parse_stream
from pydantic import AliasGenerator, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

FILE, ENCODING = ".env", "utf-8-sig"
"""The file of settings and its encoding. Some editors begin a file with a byte order mark, which is skipped."""


_PAGE = r"^https://[^\s/<>()\[\]]{1,200}(/[^\s<>()\[\]]{0,300})?$"
"""The pattern of addresses that members are sent to. They must not contain the characters that end a link."""


class ConfigError(Exception):
    """A setting or an argument is missing or wrong. The text is one sentence that tells the operator what to do."""


class Config(BaseSettings):
    """All settings. The table of settings in the documentation explains each. Most names begin with PENCILBOX_."""

    model_config = SettingsConfigDict(
        env_file=FILE,
        env_file_encoding=ENCODING,
        env_ignore_empty=True,
        extra="ignore",
        alias_generator=AliasGenerator(validation_alias=lambda name: f"PENCILBOX_{name.upper()}"),
    )

    discord_token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    proxy_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/?#@]+$",
        examples=["http://rest-proxy:8080"],
        validation_alias="DISCORD_PROXY_URL",
    )
    database_url: SecretStr | None = Field(default=None, validation_alias="DATABASE_URL")
    data_dir: Path = Path("data")
    port: int = Field(default=8765, ge=0, le=65535)
    shard_count: int | None = Field(default=None, ge=1, le=16384, validation_alias="SHARD_COUNT")
    shard_ids: str | None = Field(
        default=None,
        pattern=r"^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$",
        examples=["0-3", "0,2"],
        validation_alias="SHARD_IDS",
    )
    local_url: str | None = Field(default=None, pattern=r"^http://[^/]+$", examples=["http://localhost:8765"])
    theme: Literal["paper", "slate"] = "slate"
    challenge_minutes: int = Field(default=1440, ge=1, le=20160)
    grace_days: int = Field(default=30, ge=0, le=3650)
    retention_months: int = Field(default=24, ge=1, le=120)
    privacy_url: str | None = Field(default=None, pattern=_PAGE, examples=["https://example.org/privacy"])
    terms_url: str | None = Field(default=None, pattern=_PAGE, examples=["https://example.org/terms"])
    support_url: str | None = Field(default=None, pattern=_PAGE, examples=["https://discord.gg/example"])
    search: Literal["here", "workers"] = "here"
    search_workers: int = Field(default=2, ge=1, le=64)
    search_seconds: float = Field(default=20, ge=1, le=600)
    moments_percent: int = Field(default=5, ge=0, le=100)
    metrics_port: int | None = Field(default=None, ge=0, le=65535)
    metrics_host: str = "127.0.0.1"
    activity_client_id: int | None = Field(default=None, ge=1, le=2**63 - 1)
    activity_client_secret: SecretStr | None = None
    activity_url: str | None = Field(default=None, pattern=_PAGE, examples=["https://activity.example.org"])
    activity_port: int = Field(default=8767, ge=0, le=65535)
    activity_host: str = "127.0.0.1"
    admin_server: int | None = Field(default=None, ge=1)
    feedback_channel: int | None = Field(default=None, ge=1, le=2**63 - 1)
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"

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
    def database(self) -> str | None:
        """The address of the database, with its password, or None for a SQLite file in the data folder."""
        return self.database_url.get_secret_value() if self.database_url else None

    @property
    def shards(self) -> frozenset[int] | None:
        """The shards of this process, or None if the bot chooses them."""
        if self.shard_ids is None:
            return None
        spans = [part.split("-") for part in self.shard_ids.split(",")]
        return frozenset(shard for span in spans for shard in range(int(span[0]), int(span[-1]) + 1))

    @property
    def token(self) -> str | None:
        """The bot's token, unmasked."""
        return self.discord_token.get_secret_value() if self.discord_token else None


def read_config() -> Config:
    """Return the settings of this process. Raises ConfigError, which never contains a value that may be secret."""
    _check_file(Path(FILE))
    try:
        return Config()
    except ValidationError as error:
        raise ConfigError(_sentence(error.errors(include_url=False, include_input=False)[0])) from None


def _sentence(error: ErrorDetails) -> str:
    """Return the sentence that names the wrong setting and its allowed values, without the wrong value."""
    name = str(error["loc"][0])
    field = next(it for it in Config.model_fields.values() if it.validation_alias == name)
    context = error.get("ctx", {})
    match error["type"]:
        case "int_parsing" | "int_from_float":
            right = "must be a whole number"
        case "float_parsing" | "finite_number":
            right = "must be a number"
        case "greater_than_equal":
            right = f"must be at least {context['ge']}"
        case "less_than_equal":
            right = f"must be at most {context['le']}"
        case "literal_error":
            right = f"must be {context['expected']}"
        case "string_pattern_mismatch" if field.examples:
            right = f"must look like {' or '.join(map(str, field.examples))}"
        case _:
            right = f"cannot be used: {error['msg'][0].lower()}{error['msg'][1:]}"
    return f"{name} {right}."


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
