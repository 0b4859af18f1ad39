"""The workspace: records with their versions, settings, and the full text index."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _records()
    _search()


def _records() -> None:
    op.create_table(
        "workspace_settings",
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("time_zone", sa.String, nullable=False),
        sa.Column("locale", sa.String, nullable=False),
        sa.Column("week_start", sa.String, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("day", sa.String),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("source_key", sa.String),
        sa.Column("content", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("updated", sa.String, nullable=False),
    )
    op.create_index(
        "records_by_source",
        "records",
        ["owner", "kind", "source", "source_key"],
        unique=True,
        sqlite_where=sa.text("source_key IS NOT NULL"),
        postgresql_where=sa.text("source_key IS NOT NULL"),
    )
    op.create_index("records_by_day", "records", ["owner", "kind", "day"])
    op.create_index("records_by_title", "records", ["owner", "kind", "title"])
    op.create_table(
        "record_versions",
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("replaced", sa.String, nullable=False),
    )


def _search() -> None:
    op.create_table(
        "search_rows",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("scope", sa.String, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("search_rows_by_record", "search_rows", ["owner", "kind", "key", "part"], unique=True)
    # The words are folded before they come here, so the tokenizer only has to cut them.
    op.execute(
        "CREATE VIRTUAL TABLE search_index USING fts5(scope, name, body, content='search_rows', "
        "content_rowid='id', prefix='3 4', tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* Co M*'\")"
    )
    old = (
        "INSERT INTO search_index(search_index, rowid, scope, name, body) "
        "VALUES ('delete', old.id, old.scope, old.name, old.body);"
    )
    new = "INSERT INTO search_index(rowid, scope, name, body) VALUES (new.id, new.scope, new.name, new.body);"
    op.execute(f"CREATE TRIGGER search_rows_added AFTER INSERT ON search_rows BEGIN {new} END")
    op.execute(f"CREATE TRIGGER search_rows_removed AFTER DELETE ON search_rows BEGIN {old} END")
    op.execute(f"CREATE TRIGGER search_rows_changed AFTER UPDATE ON search_rows BEGIN {old} {new} END")
