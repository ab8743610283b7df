"""Oracle of the evaluation: bare kings, phase and scale, over python-chess, slow and obvious."""

import chess

from tests.oracles.view import (
    BISHOP,
    DARK_CORNERS,
    FULL_PHASE,
    FULL_SCALE,
    KNIGHT,
    LIGHT_CORNERS,
    OTHER,
    OWN,
    PAWN,
    PHASES,
    PIECES,
    QUEEN,
    ROOK,
    UNITS,
    UPSIDE_DOWN,
    View,
    is_dark,
    place,
)

# --- lone kings ---


def mop_up_counts(view):
    """Driving a lone king."""
    if len(view.all_pieces(OTHER)) > 1 or len(view.all_pieces(OWN)) == 1 or view.pieces(OWN, PAWN):
        return
    king = view.king(OTHER)
    yield "mop_up_edge", 0, sum(max(3 - part, part - 4) for part in place(king))
    yield "mop_up_kings", 0, 7 - chess.square_distance(king, view.king(OWN))
    shades = {is_dark(bishop) for bishop in view.pieces(OWN, BISHOP)}
    if len(shades) == 1 and view.pieces(OWN, KNIGHT) and not view.pieces(OWN, ROOK, QUEEN):
        yield "mop_up_corner", 0, diagonals_from(king, wrong_corners(view))


def wrong_corners(view):
    """The corners the bishops' one colour does not have, as this view turns the board."""
    turned = UPSIDE_DOWN if view.is_mirrored else 0
    has_dark = any(is_dark(bishop ^ turned) for bishop in view.pieces(OWN, BISHOP))
    return [corner ^ turned for corner in (LIGHT_CORNERS if has_dark else DARK_CORNERS)]


def diagonals_from(square, corners):
    """How many diagonals lie between a square and the long one that joins two corners, itself counted, that not."""
    long = [chess.square(file, rank) for file, rank in zip(range(8), climbs(corners), strict=True)]
    return min(sum(abs(one - other) for one, other in zip(place(square), place(on), strict=True)) for on in long)


def climbs(corners):
    """The ranks of a long diagonal from the a-file on."""
    left = min(corners, key=chess.square_file)
    return range(8) if chess.square_rank(left) == 0 else range(7, -1, -1)


# --- phase and scale ---


def phase(board):
    """How much of the middlegame is left, 0 to 24."""
    return min(FULL_PHASE, sum(PHASES.get(piece.piece_type, 0) for piece in board.piece_map().values()))


def non_pawn_material(view, colour):
    """The worth of a side's pieces, pawns left out."""
    return sum(UNITS[kind] * len(view.pieces(colour, kind)) for kind in PIECES)


def scale(board, ending):
    """How much of the ending's centipawns stands, of 128; the stronger side is the one the ending favours."""
    view = View(board, chess.WHITE if ending > 0 else chess.BLACK)
    pawns = len(view.pieces(OWN, PAWN))
    if pawns == 0 and (decided := scale_without_pawns(view)) is not None:
        return decided
    if pawns > 0 and has_wrong_bishop(view):
        return 0
    if has_opposite_bishops(view):
        is_pure = non_pawn_material(view, OWN) == non_pawn_material(view, OTHER) == 3
        return min(36 + 10 * pawns, FULL_SCALE) if is_pure else min(100, 96 + 8 * pawns)
    return min(FULL_SCALE, 96 + 8 * pawns)


def scale_without_pawns(view):
    """The scale where the stronger side has no pawn, or nothing where that decides nothing."""
    units = non_pawn_material(view, OWN)
    has_knights_only = len(view.pieces(OWN, KNIGHT)) == 2 and len(view.all_pieces(OWN)) == 3
    if units < 5 or has_knights_only:
        return 0
    return 16 if units - non_pawn_material(view, OTHER) <= 3 else None


def has_wrong_bishop(view):
    """Rook pawns of one file whose corner the lone king holds and no bishop controls."""
    if non_pawn_material(view, OTHER) or not view.pieces(OWN, BISHOP) or view.pieces(OWN, KNIGHT, ROOK, QUEEN):
        return False
    files = {chess.square_file(pawn) for pawn in view.pieces(OWN, PAWN)}
    if files not in ({0}, {7}):
        return False
    corner = chess.square(files.pop(), 7)
    controls = any(is_dark(bishop) == is_dark(corner) for bishop in view.pieces(OWN, BISHOP))
    return not controls and chess.square_distance(view.king(OTHER), corner) <= 1


def has_opposite_bishops(view):
    """One bishop each, on squares of different colours."""
    bishops = [list(view.pieces(colour, BISHOP)) for colour in (OWN, OTHER)]
    return [len(some) for some in bishops] == [1, 1] and is_dark(bishops[0][0]) != is_dark(bishops[1][0])
