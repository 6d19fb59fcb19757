"""Doubts count in the list of sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("doubts", sa.Integer(), server_default="0", nullable=False))
