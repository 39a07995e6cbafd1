"""The store: all data that outlives the process, in SQLite or PostgreSQL."""
