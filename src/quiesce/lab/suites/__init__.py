"""Shell. Suites: positions whose answers are known, solved by our engine and by others, scored and kept."""
