"""The queries of the store: one part for each subject."""
