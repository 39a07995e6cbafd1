"""The store: what is kept, and how."""
