"""Health, readiness and metrics of a process. Nothing here identifies a member or a move."""
