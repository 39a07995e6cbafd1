"""The checks of one exchange or event: by Discord's schemas, and by rules written by hand."""
