"""Run by alembic: takes the connection that :func:`pentathlon.server.queue.upgrading.upgrade` opened."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
