"""Shell. Motifs: by what means a line wins, each checked on the board, and silent where unsure."""
