"""Every setting, read once from the environment; docs/settings.md is the table people read.

What each is for is said in the catalogue, under `setting`.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, computed_field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

Seconds = Annotated[float, Field(gt=0)]


class Settings(BaseSettings):
    """Field names are the environment variables, upper case. Command-line options win over them."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    port: int = Field(3333, ge=0, le=65535)
    host: str = "127.0.0.1"
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    data_dir: Path = Path("~/.pilothouse")
    log_dir: Path | None = None
    log_max_size_mb: int = Field(50, ge=1)
    log_max_files: int = Field(10, ge=1)
    log_retention_days: int = Field(30, ge=1)
    debug: bool = False
    database_url: str | None = None
    pilothouse_token: SecretStr | None = None
    pilothouse_rehearsal: Path | None = None
    pilothouse_agent_env: Annotated[tuple[str, ...], NoDecode] = ()
    global_instructions: Annotated[tuple[str, ...] | None, NoDecode] = None
    pilothouse_acp_command: str | None = None
    pilothouse_build_command: str | None = None
    build_timeout_seconds: Seconds = 1800
    max_calls_per_hour: int = Field(100, ge=1)
    budget_usd: float | None = Field(None, gt=0)
    budget_tokens: int | None = Field(None, gt=0)
    budget_minutes: float | None = Field(None, gt=0)
    session_budget_usd: float | None = Field(None, gt=0)
    session_budget_tokens: int | None = Field(None, gt=0)
    session_budget_minutes: float | None = Field(None, gt=0)
    claude_timeout_minutes: float = Field(15, gt=0)
    claude_kept: int = Field(2, ge=0)
    claude_idle_seconds: Seconds = 300
    claude_memory_floor_mb: int = Field(1000, ge=0)
    absence_seconds: Seconds = 30
    stop_grace_seconds: Seconds = 5
    shutdown_wait_seconds: Seconds = 30
    shutdown_force_seconds: Seconds = 60
    heartbeat_seconds: Seconds = 30
    backup_interval_seconds: Seconds = 3600
    backups_kept: int = Field(24, ge=1)
    checkpoint_retention_days: int = Field(30, ge=1)
    max_verifications: int | None = Field(None, ge=1)
    verification_log_max_mb: int = Field(100, ge=1)
    verification_runs_kept: int = Field(20, ge=0)
    verification_retention_days: int = Field(14, ge=1)
    login_tries_per_minute: int = Field(10, ge=1)
    confine_processes: str = Field("auto", pattern="^(auto|off|processes|files)$")
    agent_check_seconds: Seconds = 10

    @field_validator("allowed_hosts", "pilothouse_agent_env", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("global_instructions", mode="before")
    @classmethod
    def _files(cls, value: object) -> object:
        return () if value == "none" else cls._split(value)

    @field_validator("data_dir", "log_dir", "pilothouse_rehearsal", mode="after")
    @classmethod
    def _resolve(cls, value: Path | None) -> Path | None:
        return value.expanduser().resolve() if value else None

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def logs(self) -> Path:
        return self.log_dir or self.data_dir / "logs"

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def storage_url(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'pilothouse.db'}"
