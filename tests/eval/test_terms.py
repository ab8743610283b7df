"""The evaluation's terms: every count against an oracle, against counts made by hand, and mirrored."""

import random
from functools import cache
from itertools import islice

import chess
import pytest

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.eval.evaluate import explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.terms import OFFSETS, TERMS, label_of
from quiesce.records import new
from tests.oracles import endings, randomplay
from tests.oracles import terms as oracle

SIDES = {chess.WHITE: 0, chess.BLACK: 1}
"""Where the trace keeps each side."""
BY_NAME = {term.name: term for term in TERMS}
PLAYED, PLAYED_ENDINGS, SCATTERED = 400, 100, 500
MANY_MEN = 14
"""From here on a board counts as played; random games have more boards with few pieces than with many."""
ARMY = "QRRBBNNPPPPPPPP"

ENDINGS = (
    # a lone king
    "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
    "8/8/8/3k4/8/8/8/3QK3 b - - 0 1",
    "7k/8/5K2/8/8/8/8/BN6 w - - 0 1",
    "k7/8/2K5/8/8/8/8/BN6 b - - 0 1",
    "7K/8/5k2/8/8/8/8/1n3b2 b - - 0 1",
    "8/8/3k4/8/4K3/8/8/2B2B2 w - - 0 1",
    "8/8/3k4/8/4K3/8/8/1N4N1 w - - 0 1",
    "8/8/3k4/8/4K3/8/8/6N1 w - - 0 1",
    "1n3bb1/8/3k4/8/4K3/8/8/8 w - - 0 1",
    "8/8/3k4/8/4K3/8/8/8 w - - 0 1",
    # bishops on opposite colours
    "2b1k3/8/8/8/8/8/PP6/2B1K3 w - - 0 1",
    "2b1k3/pppppp2/8/8/8/8/P7/2B1K3 b - - 0 1",
    "r1b1k3/8/8/8/8/8/PP6/R1B1K3 w - - 0 1",
    "2b1k3/p6p/8/8/8/6P1/PP6/2B1K1N1 w - - 0 1",
    "2b1k3/8/8/8/8/8/8/2B1K2R w - - 0 1",
    # the bishop that does not hold the corner, and the one that does
    "6k1/8/8/7P/8/8/8/4KB2 w - - 0 1",
    "6k1/8/8/7P/8/8/8/2B1K3 w - - 0 1",
    "3k4/8/8/7P/8/8/8/4KB2 w - - 0 1",
    "1k6/8/8/P7/P7/8/8/2B1K3 b - - 0 1",
    "4kb2/8/8/8/7p/8/8/6K1 b - - 0 1",
    "4k1b1/8/8/p7/8/8/1K6/8 b - - 0 1",
    "k7/8/1p6/8/P7/8/8/2B1K3 w - - 0 1",
    "1k6/8/8/P7/7P/8/8/2B1K3 w - - 0 1",
    # pawns alone
    "3k4/8/8/7P/8/8/8/4K3 w - - 0 1",
    "3k4/8/8/7P/8/8/8/4K3 b - - 0 1",
    "8/P4k2/8/8/8/8/2p2K2/8 w - - 0 1",
    "8/pp3k2/8/2PP4/8/4p3/5KPP/8 w - - 0 1",
    "8/2p1k3/1p1p4/1P1P4/2P5/8/4K3/8 w - - 0 1",
    "4k3/ppp5/8/PPP5/8/8/8/4K3 w - - 0 1",
    "8/8/8/k6P/8/8/p7/4K3 w - - 0 1",
    "4k3/7p/8/8/8/8/P7/4K3 b - - 0 1",
    # rooks behind pawns, and other pieces
    "8/8/4k3/P7/8/8/r7/R3K3 w - - 0 1",
    "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1",
    "8/5k2/8/3p4/3B4/1n6/PP3K2/8 b - - 0 1",
    "8/8/4k3/3b4/8/3RK3/8/8 w - - 0 1",
    "8/8/4k3/3r4/8/3QK3/8/8 w - - 0 1",
    "4k3/R6p/8/8/8/8/1r6/4K3 w - - 0 1",
    "8/B6k/1p6/8/8/6P1/8/3K2b1 w - - 0 1",
    "7k/QQQQR3/2B5/4KN1Q/3QQ3/8/8/4R3 b - - 0 1",
)


@cache
def hand_evaluator():
    """A judge with the weights by hand."""
    return new_evaluator("hand")


def explained(fen):
    """The trace of a position."""
    trace = new(EVAL_TRACE)
    explain_eval(tables(), hand_evaluator(), Game(fen).position, trace)
    return trace


def kept(trace, side):
    """What the trace counts for a side, by name of the term and index of the label."""
    row = trace.counts[SIDES[side]]
    return {(term.name, index): int(row[OFFSETS[term.name] + index]) for term in TERMS for index in range(size(term))}


def size(term):
    """How many weights a term has."""
    return len(term.hand)


def units_of(trace):
    """Units of danger to each side's king, by side."""
    return {side: int(trace.danger[index]) for side, index in SIDES.items()}


def total_of(trace):
    """Middlegame and ending of the trace's pair."""
    shifted = int(trace.score) + 2**31
    return (shifted & 0xFFFFFFFF) - 2**31, shifted >> 32


@pytest.fixture(scope="module")
def all_boards():
    """Boards of random play with many pieces and with few, boards that no game leads to, and all endings by hand."""
    met = randomplay.boards(seed=41, count=20 * PLAYED)
    played = list(islice((board for board in met if len(board.piece_map()) >= MANY_MEN), PLAYED))
    assert len(played) == PLAYED
    played += randomplay.boards(seed=42, count=PLAYED_ENDINGS, most_pieces=8)
    return played + list(islice(scattered(seed=43), SCATTERED)) + [chess.Board(fen) for fen in ENDINGS]


def scattered(seed):
    """Endless boards with part of each army anywhere: pawns far up, pieces on each other's ground."""
    choice = random.Random(seed)
    while True:
        board = chess.Board.empty()
        squares = choice.sample(chess.SQUARES, 64)
        for side in SIDES:
            for symbol in "K" + "".join(choice.sample(ARMY, choice.randint(0, len(ARMY)))):
                board.set_piece_at(
                    free_square(squares, symbol), chess.Piece.from_symbol(symbol if side else symbol.lower())
                )
        board.turn = choice.choice(chess.COLORS)
        if board.is_valid():
            yield board


def free_square(squares, symbol):
    """Take the first square from a list that a piece may stand on; pawns stand on no end rank."""
    square = next(square for square in squares if symbol != "P" or chess.square_rank(square) not in (0, 7))
    squares.remove(square)
    return square


# --- the oracle ---


def differing_counts(board, trace, found):
    """A line for each count in which trace and oracle differ."""
    return [
        f"{board.fen()}: {chess.COLOR_NAMES[side]}'s {label_of(BY_NAME[name], index)}:"
        f" oracle {found[side][name, index]}, kernel {count}"
        for side in SIDES
        for (name, index), count in kept(trace, side).items()
        if count != found[side][name, index]
    ]


def differing_numbers(board, trace, found):
    """A line for each of danger, phase and scale in which trace and oracle differ."""
    units = {side: oracle.danger(board, side, found[side]) for side in SIDES}
    kernels = units_of(trace)
    rows = [(f"danger to {chess.COLOR_NAMES[side]}", units[side], kernels[side]) for side in SIDES]
    rows.append(("phase", endings.phase(board), int(trace.phase)))
    rows.append(("scale", endings.scale(board, oracle.total(found, units)[1]), int(trace.scale)))
    return [f"{board.fen()}: {what}: oracle {mine}, kernel {theirs}" for what, mine, theirs in rows if mine != theirs]


def test_oracle_agrees(all_boards):
    """Every count, the danger, the phase and the scale are the oracle's, and no term stays at nought throughout."""
    met = set()
    for board in all_boards:
        trace = explained(board.fen())
        found = {side: oracle.counts(board, side) for side in SIDES}
        wrong = differing_counts(board, trace, found) + differing_numbers(board, trace, found)
        assert not wrong, "\n".join(wrong)
        met |= {name for side in SIDES for (name, _), count in found[side].items() if count}
    assert met == set(BY_NAME)


def test_oracle_knows_no_other_terms(all_boards):
    """What the oracle counts has a name and a label in the table; else nothing would compare it."""
    known = {(term.name, index) for term in TERMS for index in range(size(term))}
    for board in all_boards[::10]:
        for side in SIDES:
            assert set(oracle.counts(board, side)) <= known


def test_pair_is_the_sum_of_its_counts(all_boards):
    """The pair is counts times weights, White's less Black's, less what the units of danger cost."""
    for board in all_boards:
        trace = explained(board.fen())
        counts = {side: kept(trace, side) for side in SIDES}
        assert total_of(trace) == oracle.total(counts, units_of(trace)), board.fen()


# --- counts by hand ---

QUEEN_NEAR = "6k1/8/8/8/7q/8/5PPP/6K1 w - - 0 1"
"""The queen sees f2, g3, h2 and h3; the king alone holds f2 and h2."""
ROOKS_NEAR = "5rk1/7r/8/8/8/8/8/6K1 w - - 0 1"
"""Each rook sees three squares of the ring; f2 and h2 the king alone holds, f1 and h1 too, f3 and h3 nobody."""
CHECKS_NEAR = "r5k1/8/8/q7/3n4/8/6P1/6K1 w - - 0 1"
"""Knight to e2, queen to e1, and rook to a1 through its queen, are safe checks."""

ROWS = (
    (
        "material",
        "4k3/ppp5/8/8/8/8/P7/RNBQKBN1 w - - 0 1",
        {"pawn": 1, "knight": 2, "bishop": 2, "rook": 1, "queen": 1},
        {"pawn": 3},
    ),
    ("pawn_squares", "4k3/7p/8/8/8/8/4P3/4K3 w - - 0 1", {"e2": 1}, {"h2": 1}),
    ("knight_squares", "4k1n1/8/8/8/4N3/8/8/4K3 w - - 0 1", {"e4": 1}, {"g1": 1}),
    ("bishop_squares", "2b1k3/8/8/8/8/3B4/8/4K3 w - - 0 1", {"d3": 1}, {"c1": 1}),
    ("rook_squares", "r3k3/8/8/8/8/8/8/4K2R w - - 0 1", {"h1": 1}, {"a1": 1}),
    ("queen_squares", "3qk3/8/8/8/8/8/5Q2/4K3 w - - 0 1", {"f2": 1}, {"d1": 1}),
    ("king_squares", "6k1/8/8/8/8/8/8/4K3 w - - 0 1", {"e1": 1}, {"g1": 1}),
    ("tempo", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, 0),
    ("tempo", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 0, 1),
    ("bishop_pair", "4kb2/6b1/8/8/8/8/8/2B1KB2 w - - 0 1", 1, 0),
    ("knight_pawns", "1n2k3/pp6/8/8/8/8/PPP5/1N2K1N1 w - - 0 1", 6, 2),
    ("rook_pawns", "r3k2r/p7/8/8/8/8/PPP5/R3K3 w - - 0 1", 3, 2),
    # b3 is a pawn's
    ("knight_mobility", "4k3/8/8/8/p7/8/8/N3K3 w - - 0 1", {"1": 1}, {}),
    # not its king's e1, nor pawns on the second rank or blocked (h2, d4), nor what a pawn attacks (e5, g5)
    ("knight_mobility", "4k3/8/5p2/3p4/3P4/5N2/7P/4K3 w - - 0 1", {"3": 1}, {}),
    # through its queen, whose own square does not count
    ("bishop_mobility", "4k3/8/8/8/8/2Q5/8/B3K3 w - - 0 1", {"6": 1}, {}),
    # a1 sees through a3, and each counts the other's square
    ("rook_mobility", "4k3/8/8/8/8/R7/8/R3K3 w - - 0 1", {"10": 1, "14": 1}, {}),
    ("queen_mobility", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", {"17": 1}, {}),
    ("doubled", "4k3/8/8/p7/8/P7/P7/4K3 w - - 0 1", 1, 0),
    ("doubled", "4k3/p7/8/p7/p7/8/P7/4K3 w - - 0 1", 0, 2),
    ("isolated", "4k3/8/8/p7/8/P7/2P5/4K3 w - - 0 1", {"open": 1, "opposed": 1}, {"opposed": 1}),
    ("backward", "4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1", {"open": 1}, {}),
    ("backward", "4k3/3p4/8/2p5/4P3/3P4/8/4K3 w - - 0 1", {"opposed": 1}, {}),
    ("backward", "4k3/3p4/8/2p5/3PP3/8/8/4K3 w - - 0 1", {}, {}),
    ("phalanx", "4k3/8/8/pp6/8/8/3PP3/4K3 w - - 0 1", {"rank 2": 2}, {"rank 4": 2}),
    ("supported", "4k3/8/p7/1p6/4P3/3P1P2/8/4K3 w - - 0 1", {"rank 4": 2}, {"rank 4": 1}),
    ("candidate", "4k3/8/5p2/8/4PP2/8/8/4K3 w - - 0 1", {"rank 4": 1}, {}),
    ("candidate", "4k3/8/5p2/8/4P3/8/8/4K3 w - - 0 1", {}, {}),
    ("passed", "4k3/8/8/P7/P7/6p1/8/4K3 w - - 0 1", {"rank 5": 1}, {"rank 6": 1}),
    ("passed_blocked", "4k3/8/n7/P7/8/8/8/4K3 w - - 0 1", {"rank 5": 1}, {}),
    # the rook guards a8 alone, the knight h6
    ("passed_safe", "1r2k1n1/8/8/P6P/8/8/8/4K3 w - - 0 1", {"rank 5": 1}, {}),
    ("passed_free", "1r2k1n1/8/8/P6P/8/8/8/4K3 w - - 0 1", {}, {}),
    ("passed_free", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", {"rank 5": 1}, {}),
    # five steps to a6, and four for the other king, twice
    ("passed_own_king", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 10, 0),
    ("passed_enemy_king", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 8, 0),
    ("passed_rook_behind", "4k3/8/8/P7/8/8/8/R3K3 w - - 0 1", 1, 0),
    ("passed_rook_against", "4k3/8/8/P7/8/8/r7/4K3 w - - 0 1", 1, 0),
    ("unstoppable", "3k4/8/8/7P/8/8/8/4K3 w - - 0 1", 1, 0),
    ("unstoppable", "3k4/8/8/7P/8/8/8/4K3 b - - 0 1", 0, 0),
    ("unstoppable", "n2k4/8/8/7P/8/8/8/4K3 w - - 0 1", 0, 0),
    (
        "shelter",
        "4k3/8/8/8/8/6P1/5P2/6K1 w - - 0 1",
        {"its file, rank 3": 1, "beside, rank 2": 1, "beside, none": 1},
        {"its file, none": 1, "beside, none": 2},
    ),
    ("storm", "k7/8/8/8/7p/5p2/5P2/6K1 w - - 0 1", {"blocked, rank 3": 1, "free, rank 4": 1}, {}),
    ("threat_by_pawn", "4k3/8/8/3n1r2/4P3/8/8/4K3 w - - 0 1", {"knight": 1, "rook": 1}, {}),
    # the rook though a pawn holds it, b5 that nobody firmly holds, but not a4, a pawn that a pawn holds
    ("threat_by_minor", "4k3/8/4p3/1p1r4/p7/2N5/8/4K3 w - - 0 1", {"pawn": 1, "rook": 1}, {}),
    # not g4, which a pawn holds
    ("threat_by_rook", "4k3/8/3n4/7p/3R2b1/8/8/4K3 w - - 0 1", {"knight": 1}, {}),
    # two pieces attacked are one threat
    ("threat_by_king", "4k3/8/8/3p4/3K4/3p4/8/8 w - - 0 1", 1, 0),
    # b4, but not d6, which the bishop defends
    ("hanging", "4k3/8/3n4/8/1b1R4/8/8/6K1 w - - 0 1", 1, 0),
    ("threat_by_push", "4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1", 1, 0),
    # now a pawn guards e4
    ("threat_by_push", "4k3/8/8/3n1p2/8/8/4P3/4K3 w - - 0 1", 0, 0),
    ("outpost", "4k3/3p4/8/3N1B2/4P3/8/8/4K3 w - - 0 1", {"knight": 1, "bishop": 1}, {}),
    # c7 may drive the knight away
    ("outpost", "4k3/2p5/8/3N1B2/4P3/8/8/4K3 w - - 0 1", {"bishop": 1}, {}),
    ("outpost_near", "4k3/3p4/8/8/4P3/2N5/8/4K3 w - - 0 1", 1, 0),
    ("behind_pawn", "4k3/3p4/3B4/7n/4P2P/4N3/8/4K3 w - - 0 1", 2, 1),
    ("far_from_king", "4k3/8/8/8/7B/8/8/2N1K3 w - - 0 1", {"knight": 2, "bishop": 3}, {}),
    ("bishop_pawns", "4k3/8/8/3n4/3P4/3PP3/8/2B1K3 w - - 0 1", 2, 0),
    ("bishop_blocked", "4k3/8/8/3n4/3P4/3PP3/8/2B1K3 w - - 0 1", 1, 0),
    ("bishop_diagonal", "4k3/8/8/8/8/2N5/1B6/4K3 w - - 0 1", 1, 0),
    ("bishop_diagonal", "4k3/8/8/8/8/2P5/1B6/4K3 w - - 0 1", 0, 0),
    ("bishop_trapped", "4k3/B7/1p6/8/8/6P1/8/3K2b1 w - - 0 1", 1, 1),
    ("rook_file", "4k3/p7/8/8/8/8/2P5/RRR1K3 w - - 0 1", {"half open": 1, "open": 1}, {}),
    ("rook_seventh", "4k3/R6p/8/8/8/8/1r6/4K3 w - - 0 1", 1, 1),
    ("rook_seventh", "8/R7/4k3/8/8/8/8/4K3 w - - 0 1", 0, 0),
    ("rook_trapped", "4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", 1, 0),
    # castling will free it
    ("rook_trapped", "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1", 0, 0),
    ("rook_trapped", "4k3/8/8/8/8/8/5PPP/4K2R w - - 0 1", 1, 0),
    # White: eleven squares, d2 and d3 again, three pieces; Black: ten squares and a king
    ("space", "4k3/8/8/8/3P4/8/8/RN2K3 w - - 0 1", 4, 1),
    ("mop_up_edge", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", 6, 0),
    ("mop_up_kings", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", 5, 0),
    ("mop_up_corner", "7k/8/5K2/8/8/8/8/BN6 w - - 0 1", 7, 0),
    ("mop_up_corner", "6K1/8/5k2/8/8/8/8/1n3b2 b - - 0 1", 0, 1),
    ("mop_up_corner", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", 0, 0),
    ("danger_base", QUEEN_NEAR, 1, 0),
    ("danger_attackers", QUEEN_NEAR, {"queen": 1}, {}),
    ("danger_attackers", ROOKS_NEAR, {"rook": 2}, {}),
    # one attacker alone, without a queen, is no attack
    ("danger_attackers", "6k1/8/8/8/3n4/8/8/6K1 w - - 0 1", {}, {}),
    ("danger_base", "6k1/8/8/8/3n4/8/8/6K1 w - - 0 1", 0, 0),
    ("danger_ring", QUEEN_NEAR, 4, 0),
    ("danger_ring", ROOKS_NEAR, 6, 0),
    ("danger_weak", QUEEN_NEAR, 2, 0),
    ("danger_weak", ROOKS_NEAR, 6, 0),
    ("danger_checks", CHECKS_NEAR, {"knight": 1, "rook": 1, "queen": 1}, {}),
    ("danger_no_queen", QUEEN_NEAR, 0, 0),
    ("danger_no_queen", ROOKS_NEAR, 1, 0),
    ("danger_shelter", QUEEN_NEAR, 3, 0),
)


def wanted(term, count):
    """The counts of all labels of a term, where a row names only those that are not 0."""
    if not term.labels:
        return [count]
    assert set(count) <= set(term.labels), "a label that is none"
    return [count.get(label, 0) for label in term.labels]


@pytest.mark.parametrize(("name", "fen", "white", "black"), ROWS)
def test_counts_by_hand(name, fen, white, black):
    """Kernel and oracle both count what a person counts."""
    term, trace = BY_NAME[name], explained(fen)
    for side, count in ((chess.WHITE, white), (chess.BLACK, black)):
        by_kernel, by_oracle = kept(trace, side), oracle.counts(chess.Board(fen), side)
        assert [by_oracle[name, index] for index in range(size(term))] == wanted(term, count), "oracle"
        assert [by_kernel[name, index] for index in range(size(term))] == wanted(term, count), "kernel"


def test_every_term_is_counted_by_hand():
    """Each term has a row, and each has one in which it is not 0."""
    assert {name for name, *_ in ROWS} == set(BY_NAME)
    assert {name for name, _, white, black in ROWS if white or black} == set(BY_NAME)


@pytest.mark.parametrize(
    ("fen", "phase", "scale"),
    [
        (chess.STARTING_FEN, 24, 128),
        ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1", 2, 96),
        ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 1, 0),
        ("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1", 2, 0),
        ("8/8/4k3/3b4/8/3RK3/8/8 w - - 0 1", 3, 16),
        ("6k1/8/8/7P/8/8/8/4KB2 w - - 0 1", 1, 0),
        ("6k1/8/8/7P/8/8/8/2B1K3 w - - 0 1", 1, 104),
        ("3k4/8/8/7P/8/8/8/4KB2 w - - 0 1", 1, 104),
        ("4kb2/8/8/8/7p/8/8/6K1 b - - 0 1", 1, 0),
        ("2b1k3/8/8/8/8/8/PP6/2B1K3 w - - 0 1", 2, 56),
        ("r1b1k3/8/8/8/8/8/PP6/R1B1K3 w - - 0 1", 6, 100),
    ],
)
def test_phase_and_scale_by_hand(fen, phase, scale):
    """The phase counts pieces; the scale knows what is hard to win."""
    trace = explained(fen)
    assert (int(trace.phase), int(trace.scale)) == (phase, scale)


# --- mirrored ---


def assert_mirrored(board):
    """The mirrored board has the sides' counts and danger exchanged, and the same value for the mover."""
    one, other = explained(board.fen()), explained(board.mirror().fen())
    for side in SIDES:
        assert kept(one, side) == kept(other, not side), board.fen()
        assert units_of(one)[side] == units_of(other)[not side], board.fen()
    assert int(one.value) == int(other.value), board.fen()


def test_mirror_exchanges_the_sides(all_boards):
    """Neither colour is counted in a way of its own."""
    for board in all_boards:
        assert_mirrored(board)


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/2N2N2/8/1K6/4k3/8/8 w - - 0 1",
        "3N4/8/8/1N6/8/K2N4/7k/8 w - - 0 1",
        "1b3n2/8/5K2/8/4b3/8/8/1k6 b - - 0 1",
    ],
)
def test_mirror_without_a_corner(fen):
    """Knights alone, or bishops of both colours with a knight, have no corner of their own."""
    assert_mirrored(chess.Board(fen))
