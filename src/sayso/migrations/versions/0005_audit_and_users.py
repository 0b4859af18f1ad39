"""Who did what, in a chain; users, their sessions and API tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
    )
    # Two rows after the same one would be a fork; the database refuses the second.
    op.create_index("audit_is_one_chain", "audit", ["previous"], unique=True)
    op.create_index("audit_by_subject", "audit", ["subject", "number"])
    _users()


def _users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("roles", sa.String, nullable=False),
        sa.Column("password", sa.String),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("created", sa.String, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("user_id", sa.String, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("expires", sa.String, nullable=False),
    )
    op.create_index("sessions_by_user", "sessions", ["user_id"])
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("user_id", sa.String, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("expires", sa.String, nullable=False),
        sa.Column("last_used", sa.String),
        sa.Column("revoked", sa.String),
    )
    op.create_index("api_tokens_by_user", "api_tokens", ["user_id"])
