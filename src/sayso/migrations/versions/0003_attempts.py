"""Why models did not answer, kept with the exchange."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("exchanges", sa.Column("attempts", sa.Text))
