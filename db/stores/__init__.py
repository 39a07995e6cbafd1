"""The queries of the store: one part for each subject. The packages are those of db.values."""
