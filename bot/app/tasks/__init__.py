"""Background tasks: repeated work, locks by key, and request ids of log lines."""
