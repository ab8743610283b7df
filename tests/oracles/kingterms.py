"""Oracle of the evaluation: shelter, storm and danger of a king, counted over python-chess, slow and obvious."""

import chess

from tests.oracles.view import KING, MINORS, OTHER, OWN, PAWN, PIECES, QUEEN, pawns_on, piece_index, place

# --- king shelter ---


def nearest_rank(view, colour, file, lowest):
    """The lowest rank from a given one on where a side has a pawn on the file, or 0."""
    return min((chess.square_rank(pawn) for pawn in pawns_on(view, colour, [file], range(lowest, 8))), default=0)


def shelter_counts(view):
    """Pawns of both sides on the three files before the king."""
    king_file, king_rank = place(view.king(OWN))
    centre = min(max(king_file, 1), 6)
    for file in (centre - 1, centre, centre + 1):
        shield = nearest_rank(view, OWN, file, king_rank)
        attack = nearest_rank(view, OTHER, file, king_rank)
        yield "shelter", (0 if file == king_file else 8) + shield, 1
        if attack > 0:
            is_blocked = shield != 0 and shield == attack - 1
            yield "storm", (8 if is_blocked else 0) + attack, 1


# --- danger to the king ---


def ring(view):
    """The nine squares around our king, moved inwards at the edge."""
    file, rank = (min(max(part, 1), 6) for part in place(view.king(OWN)))
    return chess.SquareSet(chess.square(file + side, rank + up) for side in (-1, 0, 1) for up in (-1, 0, 1))


def ring_attackers(view):
    """The other side's pieces that attack the ring."""
    return [square for square in view.pieces(OTHER, *PIECES) if view.sights[square] & ring(view)]


def is_in_danger(view):
    """Enough pieces attack the ring: two, or one where there is a queen."""
    return len(ring_attackers(view)) >= (1 if view.pieces(OTHER, QUEEN) else 2)


def thin_squares(view):
    """Attacked squares that nobody of ours holds, or king or queen alone."""
    unheld = ~view.attacks(OWN) | view.attacks(OWN, KING, QUEEN)
    return (view.attacks(OTHER) & unheld) - view.twice(OWN)


def danger_counts(view):
    """What endangers our king, if it is attacked by enough."""
    if not is_in_danger(view):
        return
    for square in ring_attackers(view):
        yield "danger_attackers", piece_index(view.board.piece_type_at(square)), 1
        yield "danger_ring", 0, len(view.sights[square] & ring(view))
    yield "danger_base", 0, 1
    yield "danger_weak", 0, len(ring(view) & thin_squares(view))
    yield "danger_shelter", 0, len(ring(view) & view.pieces(OWN, PAWN, *MINORS))
    yield "danger_no_queen", 0, not view.pieces(OTHER, QUEEN)
    for kind in PIECES:
        yield "danger_checks", piece_index(kind), any(would_check(view, kind, at) for at in safe_steps(view, kind))


def safe_steps(view, kind):
    """Where the other side's pieces of a kind can go without being taken for nothing."""
    held_well_enough = thin_squares(view) & view.twice(OTHER)
    return (view.attacks(OTHER, kind) - view.all_pieces(OTHER)) & (~view.attacks(OWN) | held_well_enough)


def would_check(view, kind, square):
    """Whether such a piece on a square would attack our king, our queens being no shield."""
    after = view.board.copy(stack=False)
    for queen in view.pieces(OWN, QUEEN):
        after.remove_piece_at(queen)
    after.set_piece_at(square, chess.Piece(kind, OTHER))
    return view.king(OWN) in after.attacks(square)
