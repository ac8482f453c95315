"""Runs the migrations on the connection that `store.migrate` brings."""

from alembic import context

from lamplighter.web.db_schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
