"""The proof of the referee."""
