"""Shell. A position to a move."""
