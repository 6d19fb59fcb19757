"""A project has several workspaces, and each belongs to a host, as what a server does to itself belongs to one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("workspaces", sa.Column("kind", sa.String(length=40), server_default="directory", nullable=False))
    op.add_column("workspaces", sa.Column("host", sa.String(length=64), server_default="", nullable=False))
    op.add_column("workspaces", sa.Column("branch", sa.Text(), nullable=True))
    op.add_column("operations", sa.Column("host", sa.String(length=64), server_default="", nullable=False))
