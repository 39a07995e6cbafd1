"""Messages: drafts that are checked, mentions, threads, and the service that posts, edits and deletes."""
