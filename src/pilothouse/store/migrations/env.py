"""Run by Alembic. The connection and its transaction come from `schema.migrate`."""

from __future__ import annotations

from alembic import context

from pilothouse.store.tables.catalog import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
