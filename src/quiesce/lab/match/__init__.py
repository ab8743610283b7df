"""Shell. Matches between engines: plans, openings, players, referee, and contests that go on where they were."""
