"""Find multipliers for the slider tables; prints the two tuples of src/quiesce/board/magics.py.

Run with `.venv/bin/python tools/find_magics.py`; takes about a minute.
"""

import numpy as np

from quiesce.board.geometry import BISHOP_STEPS, ROOK_STEPS, SQUARES, relevant, slides_among, subsets
from quiesce.jit import kernel

SEED = 20_261_116
BATCH = 100_000


@kernel
def first_that_fits(candidates, occupied, attacks, shift, seen, marks):
    """Index of the first candidate under which no two attack sets share a slot, or -1."""
    for number in range(len(candidates)):
        fits = True
        for index in range(len(occupied)):
            slot = (occupied[index] * candidates[number]) >> shift
            if marks[slot] != number:
                marks[slot] = number
                seen[slot] = attacks[index]
            elif seen[slot] != attacks[index]:
                fits = False
                break
        if fits:
            return number
    return -1


def magic(square, steps, random):
    """A multiplier that hashes every relevant occupation of a square without a harmful clash."""
    occupied = subsets(relevant(square, steps))
    attacks = slides_among(square, steps, occupied)
    bits = len(occupied).bit_length() - 1
    while True:
        draws = random.integers(0, 1 << 64, (3, BATCH), dtype=np.uint64)
        candidates = draws[0] & draws[1] & draws[2]
        seen, marks = np.zeros(len(occupied), np.uint64), np.full(len(occupied), -1)
        found = first_that_fits(candidates, occupied, attacks, np.uint64(SQUARES - bits), seen, marks)
        if found >= 0:
            return int(candidates[found])


def main():
    """Print the tables."""
    random = np.random.default_rng(SEED)
    for name, steps in (("ROOK_MAGICS", ROOK_STEPS), ("BISHOP_MAGICS", BISHOP_STEPS)):
        print(f"{name} = (")
        for rank in range(0, SQUARES, 4):
            print("   ", " ".join(f"0x{magic(square, steps, random):016X}," for square in range(rank, rank + 4)))
        print(")")


if __name__ == "__main__":
    main()
