"""The history of the tables, for alembic: one linear line of numbered files in `versions`."""
