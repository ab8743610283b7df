"""Shell. Networks learnt from samples of our own games: by compiled kernels on all cores, or by PyTorch on a GPU."""
