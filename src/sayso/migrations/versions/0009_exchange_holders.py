"""Which process runs an exchange, and until when: another process that starts must not cut it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("exchanges", sa.Column("holder", sa.String))
    op.add_column("exchanges", sa.Column("lease", sa.String))
