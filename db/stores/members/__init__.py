"""Members in the database."""
