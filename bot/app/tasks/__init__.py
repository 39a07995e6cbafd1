"""Tasks that run side by side: repeated work, locks by key, and the ids by which the log tells them apart."""
