"""Shell. What proves the engine: counts, speeds, suites, matches."""
