"""Shell. Networks learnt from samples of our own games, with PyTorch; nothing else of us needs it."""
