"""Brings the database to the newest schema. If it is there already, nothing is imported for it.

An empty SQLite database gets the newest schema at once, which is the same as migrating it there and much faster.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine, insert, inspect, text

from pilothouse.domain.chain import GENESIS
from pilothouse.errors import BadConfiguration
from pilothouse.words import say

NEWEST = "0017"
_MIGRATING = 7_264_811  # PostgreSQL: processes that start together migrate one after the other


def version(c: Connection) -> str | None:
    if not inspect(c).has_table("alembic_version"):
        return None
    found = c.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(found) if found is not None else None


def require_newest(c: Connection) -> None:
    if (found := version(c)) != NEWEST:
        raise BadConfiguration(say("database.old_schema", found=found or say("database.no_schema"), needed=NEWEST))


def migrate(engine: Engine) -> None:
    with engine.connect() as c, c.begin():
        if version(c) == NEWEST:
            return
        if engine.dialect.name == "postgresql":
            c.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
        found = version(c)
        if engine.dialect.name == "sqlite" and not inspect(c).get_table_names():
            create(c)
        elif found != NEWEST:
            upgrade(c, found)


def create(c: Connection) -> None:
    """Makes all tables in an empty SQLite database. What only PostgreSQL needs is in the migrations."""
    from pilothouse.store.tables.catalog import metadata
    from pilothouse.store.tables.event import event_head

    metadata.create_all(c, checkfirst=False)
    c.execute(insert(event_head).values(id=1, seq=0, hash=GENESIS))
    # As Alembic would make it.
    c.execute(
        text(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
            "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    c.execute(text("INSERT INTO alembic_version (version_num) VALUES (:newest)"), {"newest": NEWEST})


def upgrade(c: Connection, found: str | None) -> None:
    """Runs the migrations that are missing. `found` is the present schema; None in an empty database."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "pilothouse.store:migrations")
    config.attributes["connection"] = c
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadConfiguration(say("database.newer_schema", found=found or say("database.no_schema"))) from error
