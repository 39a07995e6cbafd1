"""The store, on an SQLite file and on PostgreSQL."""
