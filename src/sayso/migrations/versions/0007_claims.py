"""Who runs a proposal and until when, and what it was asked with."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("proposals", sa.Column("holder", sa.String))
    op.add_column("proposals", sa.Column("lease", sa.String))
    op.create_index("proposals_by_exchange", "proposals", ["owner", "exchange_id"])
    op.create_table(
        "proposal_grounds",
        sa.Column("proposal_id", sa.String, sa.ForeignKey("proposals.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
