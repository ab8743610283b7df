"""Every count of the evaluation, piece by piece over python-chess, from the words that define it. Slow and obvious.

Each side is counted on a board where it is White, so `OWN` is the side counted for and ranks are as it sees them.
A counting function yields triples: name of a term, index of its label, and how much to add.
"""

from collections import Counter
from typing import NamedTuple

import chess

from quiesce.eval.terms import TERMS
from tests.oracles.endings import mop_up_counts
from tests.oracles.kingterms import danger_counts, is_in_danger, shelter_counts
from tests.oracles.view import (
    BISHOP,
    CENTRE,
    CORNER_CAGES,
    KING,
    KNIGHT,
    MINORS,
    NAMES,
    NEXT,
    NO_KING,
    OTHER,
    OWN,
    PAWN,
    PIECES,
    QUEEN,
    ROOK,
    SPACE_ZONE,
    View,
    is_dark,
    kind_index,
    pawns_on,
    piece_index,
    place,
    way,
)

# --- pieces, tempo, imbalance ---


def piece_counts(view):
    """Each piece and its square."""
    for kind in chess.PIECE_TYPES:
        for square in view.pieces(OWN, kind):
            yield f"{NAMES[kind]}_squares", square, 1
            if kind != KING:
                yield "material", kind_index(kind), 1


def imbalance_counts(view):
    """The move, both bishops, and how pawns go with knights and rooks."""
    pawns = len(view.pieces(OWN, PAWN))
    yield "tempo", 0, view.board.turn == OWN
    yield "bishop_pair", 0, len({is_dark(bishop) for bishop in view.pieces(OWN, BISHOP)}) == 2
    yield "knight_pawns", 0, len(view.pieces(OWN, KNIGHT)) * pawns
    yield "rook_pawns", 0, len(view.pieces(OWN, ROOK)) * pawns


# --- mobility ---


def area(view):
    """The squares that count for mobility."""
    out = view.attacks(OTHER, PAWN) | view.pieces(OWN, KING, QUEEN)
    for pawn in view.pieces(OWN, PAWN):
        if chess.square_rank(pawn) in (1, 2) or not view.is_empty(pawn + NEXT):
            out.add(pawn)
    return ~out


def mobility(view, square):
    """How many squares of the area a piece attacks."""
    return len(view.sights[square] & area(view))


def mobility_counts(view):
    """Pieces by their mobility."""
    for kind in PIECES:
        for square in view.pieces(OWN, kind):
            yield f"{NAMES[kind]}_mobility", mobility(view, square), 1


# --- pawns ---


class Surroundings(NamedTuple):
    """The pawns around a pawn."""

    own_ahead: list
    other_ahead: list
    own_beside: list
    own_level_or_behind: list
    other_ahead_beside: list


def surroundings(view, pawn):
    """The pawns around one of ours: on its file, and on the files beside it."""
    file, rank = place(pawn)
    ahead, beside = range(rank + 1, 8), (file - 1, file + 1)
    return Surroundings(
        own_ahead=pawns_on(view, OWN, [file], ahead),
        other_ahead=pawns_on(view, OTHER, [file], ahead),
        own_beside=pawns_on(view, OWN, beside, range(8)),
        own_level_or_behind=pawns_on(view, OWN, beside, range(rank + 1)),
        other_ahead_beside=pawns_on(view, OTHER, beside, ahead),
    )


def is_passed(view, pawn):
    """No pawn can stop it, and none of its own side stands before it."""
    around = surroundings(view, pawn)
    return not (around.other_ahead or around.other_ahead_beside or around.own_ahead)


def is_candidate(view, pawn):
    """Not passed, but its file is free and it has no fewer helpers than there are guards."""
    around = surroundings(view, pawn)
    if is_passed(view, pawn) or around.other_ahead:
        return False
    return len(around.other_ahead_beside) <= len(around.own_level_or_behind)


def is_backward(view, pawn):
    """Nothing level with it or behind it can support it, and a pawn awaits its step."""
    around = surroundings(view, pawn)
    if not around.own_beside or around.own_level_or_behind:
        return False
    return pawn + NEXT in view.attacks(OTHER, PAWN)


def pawn_counts(view):
    """What the pawn structure is made of."""
    for pawn in view.pieces(OWN, PAWN):
        file, rank = place(pawn)
        around = surroundings(view, pawn)
        is_opposed = bool(around.other_ahead)
        yield "doubled", 0, bool(around.own_ahead)
        yield "isolated", is_opposed, not around.own_beside
        yield "backward", is_opposed, is_backward(view, pawn)
        yield "phalanx", rank, bool(pawns_on(view, OWN, (file - 1, file + 1), [rank]))
        yield "supported", rank, len(pawns_on(view, OWN, (file - 1, file + 1), [rank - 1]))
        yield "passed", rank, is_passed(view, pawn)
        yield "candidate", rank, is_candidate(view, pawn)


# --- passed pawns ---


def passed_counts(view):
    """What helps passed pawns and what hinders them."""
    for pawn in view.pieces(OWN, PAWN):
        if is_passed(view, pawn):
            yield from way_counts(view, pawn)
            yield from company_counts(view, pawn)
            yield "unstoppable", 0, is_unstoppable(view, pawn)


def way_counts(view, pawn):
    """What lies ahead of a passed pawn."""
    rank = chess.square_rank(pawn)
    attacked = view.attacks(OTHER)
    if not view.is_empty(pawn + NEXT):
        yield "passed_blocked", rank, 1
    elif pawn + NEXT not in attacked:
        yield "passed_safe", rank, 1
        yield "passed_free", rank, all(view.is_empty(square) and square not in attacked for square in way(pawn))


def company_counts(view, pawn):
    """The kings and rooks near a passed pawn."""
    file, rank = place(pawn)
    if rank > 2:
        yield "passed_own_king", 0, chess.square_distance(view.king(OWN), pawn + NEXT) * (rank - 2)
        yield "passed_enemy_king", 0, chess.square_distance(view.king(OTHER), pawn + NEXT) * (rank - 2)
    behind = chess.SquareSet(chess.square(file, lower) for lower in range(rank))
    yield "passed_rook_behind", 0, bool(view.pieces(OWN, ROOK) & behind)
    yield "passed_rook_against", 0, bool(view.pieces(OTHER, ROOK) & behind)


def is_unstoppable(view, pawn):
    """Only a king could stop it, and it comes too late."""
    if view.pieces(OTHER, *PIECES) or not all(view.is_empty(square) for square in way(pawn)):
        return False
    steps = chess.square_distance(view.king(OTHER), way(pawn)[-1]) - (view.board.turn == OTHER)
    return steps > min(7 - chess.square_rank(pawn), 5)


# --- threats ---


def weak_pieces(view):
    """The other side's pieces that we attack and that are not firmly held."""
    firm = view.attacks(OTHER, PAWN) | (view.twice(OTHER) - view.twice(OWN))
    return (view.pieces(OTHER, *NO_KING) & view.attacks(OWN)) - firm


def threat_counts(view):
    """What our pieces attack."""
    weak, by_minors = weak_pieces(view), view.attacks(OWN, *MINORS)
    for kind in NO_KING:
        pieces = view.pieces(OTHER, kind)
        if kind != PAWN:
            yield "threat_by_pawn", kind_index(kind), len(pieces & view.attacks(OWN, PAWN))
        yield "threat_by_minor", kind_index(kind), len(by_minors & (pieces & weak if kind == PAWN else pieces))
        yield "threat_by_rook", kind_index(kind), len(pieces & weak & view.attacks(OWN, ROOK))
    yield "threat_by_king", 0, bool(weak & view.attacks(OWN, KING))
    yield "hanging", 0, len(weak - view.attacks(OTHER))
    yield "threat_by_push", 0, len(pushed_upon(view))


def pushes(view):
    """The empty squares our pawns can step to."""
    found = chess.SquareSet()
    for pawn in view.pieces(OWN, PAWN):
        if view.is_empty(pawn + NEXT):
            found.add(pawn + NEXT)
            if chess.square_rank(pawn) == 1 and view.is_empty(pawn + 2 * NEXT):
                found.add(pawn + 2 * NEXT)
    return found


def pushed_upon(view):
    """Pieces, no pawns, that a pawn does not attack but could, after a safe step."""
    lost = view.attacks(OTHER) - view.attacks(OWN)
    after = chess.SquareSet()
    for square in pushes(view) - view.attacks(OTHER, PAWN) - lost:
        after |= chess.SquareSet(chess.BB_PAWN_ATTACKS[OWN][square])
    return (view.pieces(OTHER, *PIECES) & after) - view.attacks(OWN, PAWN)


# --- minor pieces ---


def outposts(view):
    """Squares a pawn of ours holds and no pawn of theirs can ever attack."""
    return chess.SquareSet(square for square in view.attacks(OWN, PAWN) if is_outpost(view, square))


def is_outpost(view, square):
    """On our ranks four to six, with none of their pawns beside and further up."""
    file, rank = place(square)
    return 3 <= rank <= 5 and not pawns_on(view, OTHER, (file - 1, file + 1), range(rank + 1, 8))


def minor_counts(view):
    """Knights and bishops: where they stand."""
    pawns = {*view.pieces(OWN, PAWN), *view.pieces(OTHER, PAWN)}
    for kind in MINORS:
        for square in view.pieces(OWN, kind):
            yield "outpost", piece_index(kind), square in outposts(view)
            yield "behind_pawn", 0, square + NEXT in pawns
            yield "far_from_king", piece_index(kind), chess.square_distance(square, view.king(OWN))
    for square in view.pieces(OWN, KNIGHT) - outposts(view):
        yield "outpost_near", 0, bool((view.sights[square] & outposts(view)) - view.all_pieces(OWN))


def bishop_counts(view):
    """Bishops: how pawns stand in their way."""
    for bishop in view.pieces(OWN, BISHOP):
        pawns = [pawn for pawn in view.pieces(OWN, PAWN) if is_dark(pawn) == is_dark(bishop)]
        yield "bishop_pawns", 0, len(pawns)
        yield "bishop_blocked", 0, sum(not view.is_empty(pawn + NEXT) for pawn in pawns)
        yield "bishop_diagonal", 0, len(sight_among_pawns(view, bishop) & CENTRE) >= 2
        yield "bishop_trapped", 0, bishop in CORNER_CAGES and CORNER_CAGES[bishop] in view.pieces(OTHER, PAWN)


def sight_among_pawns(view, square):
    """What a piece would attack if only pawns stood around it."""
    bare = view.board.copy(stack=False)
    for other in view.board.piece_map():
        if other != square and bare.piece_type_at(other) != PAWN:
            bare.remove_piece_at(other)
    return bare.attacks(square)


# --- rooks and space ---


def rook_counts(view):
    """Rooks: files, the seventh rank, and being shut in."""
    for rook in view.pieces(OWN, ROOK):
        file, rank = place(rook)
        if not pawns_on(view, OWN, [file], range(8)):
            yield "rook_file", not pawns_on(view, OTHER, [file], range(8)), 1
        else:
            yield "rook_trapped", 0, is_shut_in(view, rook)
        has_prey = pawns_on(view, OTHER, range(8), [6]) or chess.square_rank(view.king(OTHER)) == 7
        yield "rook_seventh", 0, rank == 6 and bool(has_prey)


def is_shut_in(view, rook):
    """Few squares, no castling, and between its king and the nearer edge."""
    king_file, rook_file = chess.square_file(view.king(OWN)), chess.square_file(rook)
    if mobility(view, rook) > 3 or view.board.has_castling_rights(OWN):
        return False
    return (king_file < 4) == (rook_file < king_file)


def space_counts(view):
    """Safe squares of the own centre, times pieces."""
    safe = [square for square in SPACE_ZONE if square not in view.pieces(OWN, PAWN) | view.attacks(OTHER, PAWN)]
    covered = [square for square in safe if is_covered(view, square)]
    pieces = len(view.pieces(OWN, *PIECES, KING))
    yield "space", 0, (len(safe) + len(covered)) * pieces // 8


def is_covered(view, square):
    """One or two squares behind a pawn, and not attacked."""
    pawns = view.pieces(OWN, PAWN)
    return (square + NEXT in pawns or square + 2 * NEXT in pawns) and square not in view.attacks(OTHER)


# --- all together ---


PARTS = (
    piece_counts,
    imbalance_counts,
    mobility_counts,
    pawn_counts,
    passed_counts,
    shelter_counts,
    threat_counts,
    minor_counts,
    bishop_counts,
    rook_counts,
    space_counts,
    danger_counts,
    mop_up_counts,
)


def counts(board, side):
    """How often each weight counts for a side, by name of the term and index of the label."""
    view = View(board, side)
    found = Counter()
    for part in PARTS:
        for name, index, amount in part(view):
            found[name, int(index)] += int(amount)
    return found


def weighed(found, part, is_wanted):
    """The sum of counts times weights by hand, middlegame (0) or ending (1), over the terms that are wanted."""
    hands = {term.name: term.hand for term in TERMS if is_wanted(term)}
    return sum(hands[name][index][part] * count for (name, index), count in found.items() if name in hands)


def danger(board, side, found):
    """Units of danger to a side's king, from what was counted for it."""
    if not is_in_danger(View(board, side)):
        return 0
    return max(0, weighed(found, 0, is_of_danger))


def total(found, units):
    """Middlegame and ending of everything, White's side, from both sides' counts and units of danger."""
    middle, ending = (
        weighed(found[chess.WHITE], part, is_plain) - weighed(found[chess.BLACK], part, is_plain) for part in (0, 1)
    )
    middle -= units[chess.WHITE] ** 2 // 720 - units[chess.BLACK] ** 2 // 720
    ending -= units[chess.WHITE] // 20 - units[chess.BLACK] // 20
    return middle, ending


def is_of_danger(term):
    """Whether a term adds to the units of danger."""
    return term.group == "danger"


def is_plain(term):
    """Whether a term adds to the sum by itself."""
    return not is_of_danger(term)
