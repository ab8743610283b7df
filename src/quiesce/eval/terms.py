"""Shell. TERMS: everything the hand-made evaluation counts, each with its reason and its weights by hand, once.

From this table come the record kernels read (weights.py), the fit (lab), the breakdown people see and the reference
page. A weight is a score: points in the middlegame and in the endgame. Hand values are where the fit began, and
what ships where it cannot reach; the fitted ones stand in fitted.json, by the same names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

Score = tuple[int, int]

SETS = ("fitted", "hand", "squares")
"""Weights to choose from: the fit, the values by hand, and by hand material and squares alone."""
DEFAULT_SET = SETS[0]

SIDE = 8
RINGS = (0, 1, 2, 3, 3, 2, 1, 0)
"""How far a file or rank lies from the edge."""
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
RANKS = tuple(f"rank {rank}" for rank in range(1, SIDE + 1))
SQUARE_NAMES = tuple(f"{file}{rank}" for rank in range(1, SIDE + 1) for file in "abcdefgh")


@dataclass(frozen=True, slots=True)
class Term:
    """Something that is counted for each side: one weight, or one for each label."""

    name: str
    group: str
    why: str
    hand: tuple[Score, ...]
    labels: tuple[str, ...] = ()
    is_fitted: bool = True


def one(name: str, group: str, middle: int, ending: int, why: str, is_fitted: bool = True) -> Term:
    """A term with a single weight."""
    return Term(name, group, why, ((middle, ending),), (), is_fitted)


def many(name: str, group: str, labels: Sequence[str], hand: Sequence[Score], why: str) -> Term:
    """A term with a weight for each label."""
    assert len(labels) == len(hand), name
    return Term(name, group, why, tuple(hand), tuple(labels))


def ramp(count: int, start: Score, step: Score) -> list[Score]:
    """Weights that rise evenly."""
    return [(start[0] + step[0] * index, start[1] + step[1] * index) for index in range(count)]


def by_rank(*pairs: Score) -> list[Score]:
    """Weights of ranks two to seven; on the first and the last there is no pawn."""
    return [(0, 0), *pairs, (0, 0)]


def squares(kind: str, centre: Score, file: Score, rank: Score) -> Term:
    """PSQT of a kind, as White sees it: what each step from edge, wing and home rank adds."""
    hand = []
    for square in range(SIDE * SIDE):
        ring_file, ring_rank, up = RINGS[square % SIDE], RINGS[square // SIDE], square // SIDE
        ring = min(ring_file, ring_rank)
        hand.append(tuple(centre[part] * ring + file[part] * ring_file + rank[part] * up for part in (0, 1)))
    return Term(f"{kind}_squares", "squares", f"{kind} by square", tuple(hand), SQUARE_NAMES)  # type: ignore[arg-type]


TERMS = (
    many("material", "material", KINDS[:5], [(82, 100), (325, 300), (340, 315), (470, 525), (960, 970)], "a piece"),
    squares("pawn", (3, 0), (3, 0), (3, 9)),
    squares("knight", (9, 8), (4, 2), (3, 1)),
    squares("bishop", (6, 4), (2, 1), (0, 0)),
    squares("rook", (0, 0), (5, 0), (2, 3)),
    squares("queen", (1, 6), (1, 2), (-1, 2)),
    squares("king", (-10, 11), (-9, 2), (-14, 4)),
    one("tempo", "tempo", 16, 10, "having the move"),
    one("bishop_pair", "imbalance", 28, 45, "both bishops"),
    one("knight_pawns", "imbalance", 2, 3, "a knight, for each own pawn"),
    one("rook_pawns", "imbalance", -2, -1, "a rook, for each own pawn"),
    many("knight_mobility", "mobility", [str(n) for n in range(9)], ramp(9, (-32, -36), (8, 9)), "squares of a knight"),
    many("bishop_mobility", "mobility", [str(n) for n in range(14)], ramp(14, (-28, -32), (6, 7)), "of a bishop"),
    many("rook_mobility", "mobility", [str(n) for n in range(15)], ramp(15, (-22, -36), (3, 6)), "of a rook"),
    many("queen_mobility", "mobility", [str(n) for n in range(28)], ramp(28, (-20, -30), (2, 4)), "of a queen"),
    one("doubled", "pawns", -8, -22, "a pawn with another of its side ahead on the file"),
    many("isolated", "pawns", ("open", "opposed"), [(-16, -14), (-8, -12)], "no own pawn on the files beside it"),
    many("backward", "pawns", ("open", "opposed"), [(-16, -14), (-6, -8)], "cannot be supported, nor advance safely"),
    many("phalanx", "pawns", RANKS, by_rank((4, 0), (8, 4), (14, 8), (24, 22), (50, 60), (70, 90)), "side by side"),
    many("supported", "pawns", RANKS, by_rank((0, 0), (12, 6), (12, 8), (18, 16), (40, 40), (80, 80)), "by a pawn"),
    many("candidate", "pawns", RANKS, by_rank((0, 4), (2, 8), (6, 16), (18, 36), (36, 60), (0, 0)), "may yet pass"),
    many("passed", "passed", RANKS, by_rank((0, 8), (0, 12), (4, 30), (24, 60), (52, 104), (90, 160)), "no pawn stops"),
    many("passed_blocked", "passed", RANKS, by_rank((0, 0), (0, -2), (0, -8), (-4, -24), (-12, -50), (-20, -90)),
         "a piece stands in its way"),
    many("passed_safe", "passed", RANKS, by_rank((0, 0), (0, 2), (0, 6), (6, 14), (14, 30), (30, 60)),
         "its next step is not attacked"),
    many("passed_free", "passed", RANKS, by_rank((0, 2), (0, 4), (2, 8), (6, 20), (20, 44), (40, 80)),
         "its whole way is empty and not attacked"),
    one("passed_own_king", "passed", 0, -3, "steps of its king to its next square, times ranks beyond the third"),
    one("passed_enemy_king", "passed", 0, 5, "steps of the other king to it, times ranks beyond the third"),
    one("passed_rook_behind", "passed", 4, 16, "a rook of its own side behind it"),
    one("passed_rook_against", "passed", -2, -12, "a rook of the other side behind it"),
    one("unstoppable", "passed", 40, 300, "the other side has only pawns and its king comes too late"),
    many("shelter", "king", tuple(f"{at}, {rank}" for at in ("its file", "beside") for rank in ("none", *RANKS[1:])),
         [(-30, 4), (12, 0), (8, 0), (0, 0), (-6, 0), (-8, 0), (-8, 0), (-8, 0),
          (-22, 4), (16, 0), (10, 0), (0, 0), (-4, 0), (-6, 0), (-6, 0), (-6, 0)], "own pawn before the king"),
    many("storm", "king", tuple(f"{how}, {rank}" for how in ("free", "blocked") for rank in RANKS),
         [(0, 0), (-10, 0), (-34, 0), (-16, 0), (-4, 0), (0, 0), (0, 0), (0, 0),
          (0, 0), (0, 0), (-10, -10), (-4, -4), (0, 0), (0, 0), (0, 0), (0, 0)], "enemy pawn before the king"),
    many("threat_by_pawn", "threats", KINDS[:5], [(0, 0), (50, 30), (50, 36), (66, 30), (60, 36)], "a pawn attacks"),
    many("threat_by_minor", "threats", KINDS[:5], [(2, 8), (24, 24), (26, 24), (44, 28), (40, 40)],
         "knight or bishop attacks what no pawn defends, or more"),
    many("threat_by_rook", "threats", KINDS[:5], [(0, 10), (20, 20), (22, 24), (0, 8), (44, 30)],
         "a rook attacks what is weakly defended"),
    one("threat_by_king", "threats", 8, 34, "the king attacks what is weakly defended"),
    one("hanging", "threats", 26, 18, "attacked and not defended at all"),
    one("threat_by_push", "threats", 16, 14, "a pawn can safely step to attack it"),
    many("outpost", "pieces", ("knight", "bishop"), [(26, 16), (18, 8)], "a pawn's support where no pawn can attack"),
    one("outpost_near", "pieces", 12, 8, "a knight can go to such a square"),
    one("behind_pawn", "pieces", 8, 2, "knight or bishop just behind a pawn"),
    many("far_from_king", "pieces", ("knight", "bishop"), [(-3, -2), (-3, -1)], "steps to its own king"),
    one("bishop_pawns", "pieces", -3, -5, "own pawns on the bishop's colour"),
    one("bishop_blocked", "pieces", -4, -4, "those that are blocked"),
    one("bishop_diagonal", "pieces", 14, 4, "looks at both squares of the centre along a long diagonal"),
    one("bishop_trapped", "pieces", -70, -60, "caught behind a pawn in the corner"),
    many("rook_file", "pieces", ("half open", "open"), [(10, 8), (28, 12)], "no own pawn on a rook's file, or none"),
    one("rook_seventh", "pieces", 4, 24, "on the seventh, with pawns or the king to harass"),
    one("rook_trapped", "pieces", -44, -6, "shut in by its own king"),
    one("space", "space", 2, 0, "safe squares in the own centre, more with more pieces"),
    one("mop_up_edge", "ending", 0, 20, "the lone king's steps from the centre", is_fitted=False),
    one("mop_up_corner", "ending", 0, 400, "diagonals from the one between the wrong corners", is_fitted=False),
    one("mop_up_kings", "ending", 0, 16, "the kings' nearness to each other", is_fitted=False),
    one("danger_base", "danger", -40, 0, "units: before anything else"),
    many("danger_attackers", "danger", KINDS[1:5], [(34, 0), (24, 0), (28, 0), (24, 0)], "units: pieces on the ring"),
    one("danger_ring", "danger", 7, 0, "units: squares of the ring a piece attacks"),
    one("danger_weak", "danger", 24, 0, "units: attacked squares of the ring defended by king or queen alone, or not"),
    many("danger_checks", "danger", KINDS[1:5], [(70, 0), (40, 0), (80, 0), (60, 0)], "units: safe checks at hand"),
    one("danger_no_queen", "danger", -130, 0, "units: without a queen"),
    one("danger_shelter", "danger", -1, 0, "units: own pawns and minor pieces in the ring"),
)  # fmt: skip

SIZES = [len(term.hand) for term in TERMS]
TERM_COUNT = sum(SIZES)
OFFSETS = dict(zip((term.name for term in TERMS), accumulate(SIZES, initial=0), strict=False))
"""Where each term's weights begin in the common array."""


def label_of(term: Term, index: int) -> str:
    """What one weight is called."""
    return f"{term.name}[{term.labels[index]}]" if term.labels else term.name
