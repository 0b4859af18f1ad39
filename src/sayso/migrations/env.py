"""Runs migrations inside the transaction that `sayso.store.schema` has begun. Reads no settings."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
