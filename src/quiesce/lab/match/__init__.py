"""Shell. Matches between engines: plans, openings, players, referee, resumable contests."""
