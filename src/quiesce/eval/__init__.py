"""Shell. A position to points."""
