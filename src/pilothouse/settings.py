"""Every setting, read once from the environment; docs/settings.md is the table people read."""

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

    port: int = Field(3333, ge=0, le=65535, description="Port of the web server; 0 picks a free one.")
    host: str = Field("127.0.0.1", description="Address to listen on; `--lan` means 0.0.0.0.")
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Further host names the server answers to, separated by commas."
    )
    data_dir: Path = Field(Path("~/.pilothouse"), description="Where everything is kept.")
    log_dir: Path | None = Field(None, description="Where logs go; `DATA_DIR/logs` when not set.")
    log_max_size_mb: int = Field(50, ge=1, description="Size at which server.log is rotated.")
    log_max_files: int = Field(10, ge=1, description="How many rotated server logs are kept.")
    log_retention_days: int = Field(30, ge=1, description="Days after which spawn logs are removed.")
    debug: bool = Field(False, description="Verbose logging.")
    database_url: str | None = Field(None, description="PostgreSQL URL; SQLite in DATA_DIR when not set.")
    pilothouse_token: SecretStr | None = Field(None, description="Fixes the login token; else one is made and kept.")
    pilothouse_rehearsal: Path | None = Field(None, description="A further scenario file for the rehearsal agent.")
    pilothouse_agent_env: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Further environment variables agents may see, separated by commas."
    )
    global_instructions: Annotated[tuple[str, ...] | None, NoDecode] = Field(
        None, description="Instructions files for every project, separated by commas, or `none`; see workflow.md."
    )
    pilothouse_acp_command: str | None = Field(
        None, description="Starts a further agent that speaks the Agent Client Protocol."
    )
    pilothouse_build_command: str | None = Field(
        None, description="Builds Pilothouse itself, by `sh -c`; for those who build it otherwise than `make install`."
    )
    build_timeout_seconds: Seconds = Field(1800, description="How long building Pilothouse itself may take.")
    max_calls_per_hour: int = Field(100, ge=1, description="Spawns of an agent per hour.")
    budget_usd: float | None = Field(None, gt=0, description="What one task may cost, in dollars; no limit if not set.")
    budget_tokens: int | None = Field(None, gt=0, description="Tokens one task may use, without those from the cache.")
    budget_minutes: float | None = Field(None, gt=0, description="Minutes agents and checks may work on one task.")
    session_budget_usd: float | None = Field(None, gt=0, description="What a whole session may cost, in dollars.")
    session_budget_tokens: int | None = Field(None, gt=0, description="Tokens a whole session may use.")
    session_budget_minutes: float | None = Field(None, gt=0, description="Minutes of work on a whole session.")
    claude_timeout_minutes: float = Field(15, gt=0, description="Hard limit of one spawn in feature and spec sessions.")
    claude_kept: int = Field(2, ge=0, description="Processes of each agent kept warm between turns; 0 keeps none.")
    claude_idle_seconds: Seconds = Field(300, description="When a kept process that nobody needed is ended.")
    claude_memory_floor_mb: int = Field(1000, ge=0, description="Free memory below which none is kept warm.")
    absence_seconds: Seconds = Field(30, description="Silence without a living process that counts as absence.")
    stop_grace_seconds: Seconds = Field(5, description="Time between SIGTERM and SIGKILL.")
    shutdown_wait_seconds: Seconds = Field(30, description="How long shutdown waits for running tasks.")
    shutdown_force_seconds: Seconds = Field(60, description="When shutdown is forced.")
    heartbeat_seconds: Seconds = Field(30, description="Ping on the socket.")
    backup_interval_seconds: Seconds = Field(3600, description="Time between backups of the database.")
    backups_kept: int = Field(24, ge=1, description="How many backups are kept.")
    checkpoint_retention_days: int = Field(30, ge=1, description="Days checkpoints of finished sessions are kept.")
    max_verifications: int | None = Field(None, ge=1, description="Verifications at a time; default half the cores.")
    verification_log_max_mb: int = Field(
        100, ge=1, description="Size of a check's or a build's log; its middle is left out."
    )
    verification_runs_kept: int = Field(20, ge=0, description="Verifications kept per project, however old.")
    verification_retention_days: int = Field(14, ge=1, description="Days further verifications are kept.")
    login_tries_per_minute: int = Field(10, ge=1, description="Wrong tokens allowed per minute.")
    confine_processes: str = Field(
        "off",
        pattern="^(auto|off|processes|files)$",
        description="Holds agents in by bubblewrap; where it is set, the switch on the Settings page is not asked.",
    )
    agent_check_seconds: Seconds = Field(10, description="How long an agent may take to say how it is.")

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
