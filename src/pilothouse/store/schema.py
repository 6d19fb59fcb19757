"""Bringing the database to the newest schema; nothing is imported for it when it is there already."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, inspect, text

from pilothouse.errors import BadConfiguration

NEWEST = "0009"
_MIGRATING = 7_264_811  # PostgreSQL: processes that start together migrate one after the other


def version(c: Connection) -> str | None:
    if not inspect(c).has_table("alembic_version"):
        return None
    found = c.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(found) if found is not None else None


def require_newest(c: Connection) -> None:
    if (found := version(c)) != NEWEST:
        raise BadConfiguration(
            f"The database has schema {found or 'none'}, not {NEWEST}. "
            "Start the server: it brings an older one up to date."
        )


def migrate(engine: Engine) -> None:
    with engine.connect() as c, c.begin():
        if version(c) == NEWEST:
            return
        if engine.dialect.name == "postgresql":
            c.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
        found = version(c)
        if found != NEWEST:
            _upgrade(c, found)


def _upgrade(c: Connection, found: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "pilothouse.store:migrations")
    config.attributes["connection"] = c
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadConfiguration(
            f"The database has schema {found}, which this Pilothouse does not know: it was written by a newer version. "
            "Install that version again, or point DATA_DIR elsewhere."
        ) from error
