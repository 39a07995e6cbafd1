"""Members: what they chose, and all stored data about one of them."""
