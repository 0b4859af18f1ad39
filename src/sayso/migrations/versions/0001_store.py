"""Threads, exchanges, messages; proposals with their changes, receipts and files."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _threads()
    _proposals()


def _threads() -> None:
    op.create_table(
        "threads",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("next_ref", sa.Integer, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("updated", sa.String, nullable=False),
    )
    op.create_index("threads_by_owner", "threads", ["owner", "updated", "id"])
    op.create_table(
        "exchanges",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("thread_id", sa.String, sa.ForeignKey("threads.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("started", sa.String, nullable=False),
        sa.Column("ended", sa.String),
        sa.Column("outcome", sa.String),
        sa.Column("reason", sa.String),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text),
        sa.Column("report", sa.Text),
    )
    op.create_index("exchanges_by_thread", "exchanges", ["thread_id", "number"], unique=True)
    op.create_index("exchanges_by_state", "exchanges", ["state"])
    op.create_table(
        "messages",
        sa.Column("thread_id", sa.String, sa.ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("id", sa.String, nullable=False),
        sa.Column("exchange_id", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("messages_by_id", "messages", ["thread_id", "id"], unique=True)


def _proposals() -> None:
    op.create_table(
        "proposals",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("thread_id", sa.String, nullable=False),
        sa.Column("exchange_id", sa.String, nullable=False),
        sa.Column("call_id", sa.String, nullable=False),
        sa.Column("canonical", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("content_digest", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("filed", sa.String, nullable=False),
        sa.Column("expires", sa.String, nullable=False),
        sa.Column("outcome", sa.Text),
        sa.Column("details", sa.Text),
        sa.Column("ended", sa.String),
        sa.Column("delivered", sa.Boolean, nullable=False),
    )
    op.create_index("proposals_by_owner", "proposals", ["owner", "state", "filed"])
    op.create_index("proposals_by_thread", "proposals", ["thread_id", "delivered"])
    op.create_index("proposals_by_state", "proposals", ["state", "expires"])
    op.create_index(
        "one_pending_proposal_per_act",
        "proposals",
        ["owner", "content_digest"],
        unique=True,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_table(
        "proposal_changes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("proposal_id", sa.String, sa.ForeignKey("proposals.id", ondelete="CASCADE"), nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )
    op.create_index("changes_by_proposal", "proposal_changes", ["proposal_id", "id"])
    op.create_table(
        "receipt_files",
        sa.Column("proposal_id", sa.String, sa.ForeignKey("proposals.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("media_type", sa.String, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
