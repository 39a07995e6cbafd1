"""The outbox with a real client and the local Discord."""
