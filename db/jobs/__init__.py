"""Searches as jobs in a queue on PostgreSQL, which procrastinate keeps, for processes that search on any machine."""
