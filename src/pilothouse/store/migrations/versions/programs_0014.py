"""What of a repository's own programs a person lets a commit run, and why a rollback could not be finished."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("projects", sa.Column("programs", sa.Text(), nullable=True))
    op.add_column("rollbacks", sa.Column("problem", sa.Text(), nullable=True))
