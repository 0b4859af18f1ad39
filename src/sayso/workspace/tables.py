"""The workspace's tables. Every row belongs to an owner, and every query names one.

All kinds of record share one table, since they share one life: a source, a version, a previous
version. What is asked for in SQL (title, state, day) has a column; the rest is the record's JSON.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

settings = sa.Table(
    "workspace_settings",
    metadata,
    sa.Column("owner", sa.String, primary_key=True),
    sa.Column("time_zone", sa.String, nullable=False),
    sa.Column("locale", sa.String, nullable=False),
    sa.Column("week_start", sa.String, nullable=False),
)

records = sa.Table(
    "records",
    metadata,
    sa.Column("owner", sa.String, primary_key=True),
    sa.Column("kind", sa.String, primary_key=True),
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("state", sa.String, nullable=False),  # a project's or commitment's status, else ""
    sa.Column("day", sa.String),  # ISO date: due, starts, target date
    sa.Column("source", sa.String, nullable=False),
    sa.Column("source_key", sa.String),
    sa.Column("content", sa.String, nullable=False),  # digest of what the source gave last
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("created", sa.String, nullable=False),
    sa.Column("updated", sa.String, nullable=False),
)

record_versions = sa.Table(
    "record_versions",
    metadata,
    sa.Column("owner", sa.String, primary_key=True),
    sa.Column("kind", sa.String, primary_key=True),
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("replaced", sa.String, nullable=False),
)

search_rows = sa.Table(
    "search_rows",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("scope", sa.String, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
"""What full text search looks through, folded (see `names`); triggers keep `search_index` in step."""
