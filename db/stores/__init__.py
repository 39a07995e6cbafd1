"""The store in an SQL database, one module per subject."""
