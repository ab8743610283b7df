"""Shell. The web board: play, analyse and look into quiescence in a browser."""
