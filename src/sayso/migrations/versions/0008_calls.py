"""Calls of tools by their ids, so that each runs once and its result is given again."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "calls",
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("actor", sa.String, primary_key=True),
        sa.Column("call_id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("arguments", sa.String, nullable=False),
        sa.Column("thread_id", sa.String, nullable=False),
        sa.Column("exchange_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("lease", sa.String, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("expires", sa.String, nullable=False),
        sa.Column("result", sa.Text),
    )
    op.create_index("calls_by_expiry", "calls", ["expires"])
    op.create_index("calls_by_exchange", "calls", ["owner", "actor", "thread_id", "exchange_id"])
