"""The Activity: a page in a frame of Discord, on which boards are touched. It is served on a port of its own."""
