"""The revisions of the database, from the first schema to that of :mod:`pentathlon.server.queue.tables`."""
