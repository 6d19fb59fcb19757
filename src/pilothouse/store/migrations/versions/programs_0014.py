"""What of a repository's own hooks and filters a person lets a commit run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("projects", sa.Column("programs", sa.Text(), nullable=True))
