"""Ratings in the database: `rate` changes them, `take_back` and `rebuild` correct them, `read` returns them."""
