"""The soak: games, fuzzing and kills for as long as one likes, and one table of all that went wrong."""
