"""The configuration of a process, read from the environment and from a file `.env` if there is one."""

from datetime import timedelta
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class ConfigError(Exception):
    """A setting is missing or wrong; the text is one sentence that says what to do."""


class Config(BaseSettings):
    """Everything that may be set. The README's table documents each."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    discord_token: SecretStr | None = None
    database_url: SecretStr | None = None
    data_dir: Path = Field(default=Path("data"), validation_alias="PENCILBOX_DATA_DIR")
    port: int = Field(default=8765, ge=0, le=65535, validation_alias="PENCILBOX_PORT")
    local_url: str | None = Field(
        default=None, pattern=r"^http://[^/]+$", validation_alias="PENCILBOX_LOCAL_URL"
    )
    theme: Literal["paper", "slate"] = Field(default="paper", validation_alias="PENCILBOX_THEME")
    challenge_minutes: int = Field(
        default=1440, ge=1, le=20160, validation_alias="PENCILBOX_CHALLENGE_MINUTES"
    )
    grace_days: int = Field(default=30, ge=0, le=3650, validation_alias="PENCILBOX_GRACE_DAYS")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", validation_alias="PENCILBOX_LOG_LEVEL"
    )
    log_format: Literal["text", "json"] = Field(default="text", validation_alias="PENCILBOX_LOG_FORMAT")

    @property
    def challenge_lifetime(self) -> timedelta:
        return timedelta(minutes=self.challenge_minutes)

    @property
    def grace(self) -> timedelta:
        return timedelta(days=self.grace_days)


def read_config() -> Config:
    """The settings of this process. Raises ConfigError, without showing any value that may be secret."""
    try:
        return Config()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0])
        raise ConfigError(f"{name.upper()} is wrong: {first['msg'][0].lower()}{first['msg'][1:]}.") from None
