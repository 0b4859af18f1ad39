"""Images that users attach, once for each of their bytes, and the threads that show them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "images",
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("media_type", sa.String, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("kept", sa.String, nullable=False),
    )
    op.create_table(
        "thread_images",
        sa.Column("thread_id", sa.String, sa.ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("digest", sa.String, primary_key=True),
    )
    op.create_index("threads_by_image", "thread_images", ["owner", "digest"])
