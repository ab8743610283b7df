"""Shell. Reviews as pages: one for each game, and an index over all."""
