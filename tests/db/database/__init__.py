"""SQLite and PostgreSQL themselves: starting, locking, migrating, racing, and being killed."""
