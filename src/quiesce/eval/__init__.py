"""Shell. A position to centipawns."""
