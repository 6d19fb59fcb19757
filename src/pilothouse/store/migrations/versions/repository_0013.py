"""What became of the repository that a task worked in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("tasks", sa.Column("repository", sa.Text(), nullable=True))
