"""Members in the store."""
