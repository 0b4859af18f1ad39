"""Threads that are found, rated and proven: digests, folded texts, feedback; and the shared log of runs."""

import json

import sqlalchemy as sa
from alembic import op

from sayso.core.proposals import digest_of
from sayso.store.searching import searchable

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("threads", sa.Column("transcript", sa.String, nullable=False, server_default=""))
    op.add_column("threads", sa.Column("folded", sa.Text, nullable=False, server_default=""))
    op.add_column("exchanges", sa.Column("folded", sa.Text, nullable=False, server_default=""))
    _feedback()
    _run_log()
    _digest_what_is_there()


def _feedback() -> None:
    op.create_table(
        "feedback",
        sa.Column("thread_id", sa.String, sa.ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("exchange_id", sa.String, primary_key=True),
        sa.Column("by", sa.String, primary_key=True),
        sa.Column("verdict", sa.String, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", sa.String, nullable=False),
    )


def _run_log() -> None:
    op.create_table(
        "run_log",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("heard", sa.String, nullable=False),
        sa.Column("ended", sa.Integer, nullable=False),
        sa.Column("stop", sa.Integer, nullable=False),
    )
    op.create_index("runs_by_time", "run_log", ["heard"])
    op.create_table(
        "run_frames",
        sa.Column("run_id", sa.String, sa.ForeignKey("run_log.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("frame", sa.Text, nullable=False),
    )
    op.create_table(
        "run_claims",
        sa.Column("continuation", sa.String, primary_key=True),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("run_id", sa.String, nullable=False),
        sa.Column("until", sa.String, nullable=False),
    )
    op.create_index("claims_by_run", "run_claims", ["run_id"])
    op.create_index("claims_by_time", "run_claims", ["until"])


def _digest_what_is_there() -> None:
    """The chained digest over the messages of each thread, and the texts as they are searched."""
    connection = op.get_bind()
    digests: dict[str, str] = {}
    for thread, body in connection.exec_driver_sql("SELECT thread_id, body FROM messages ORDER BY thread_id, number"):
        digests[thread] = digest_of(f"{digests.get(thread, '')} {_sorted(body)}".encode())
    for thread, digest in digests.items():
        connection.execute(sa.text("UPDATE threads SET transcript = :d WHERE id = :id"), {"d": digest, "id": thread})
    for row in connection.exec_driver_sql("SELECT id, title FROM threads").all():
        folded = {"f": searchable(row.title), "id": row.id}
        connection.execute(sa.text("UPDATE threads SET folded = :f WHERE id = :id"), folded)
    for row in connection.exec_driver_sql("SELECT id, question, answer FROM exchanges").all():
        folded = {"f": searchable(f"{row.question} {row.answer or ''}"), "id": row.id}
        connection.execute(sa.text("UPDATE exchanges SET folded = :f WHERE id = :id"), folded)


def _sorted(body: str) -> str:
    """A message as it is digested; of one that cannot be read, what is there of it."""
    try:
        return json.dumps(json.loads(body), sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return body
