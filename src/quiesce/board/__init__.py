"""Shell. Chess and nothing else: positions, legal moves, exchanges, draws, and their text."""
