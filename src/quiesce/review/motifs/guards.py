"""Shell. Motifs of guards, kings and pawns: removed and overloaded defenders, mates, promotion, perpetual check."""

import chess

from quiesce.review.exchange import named, value_at, worth
from quiesce.review.motifs.played import Motif, Played

LEAST_CHECKS = 3
"""Checks in a row that make a perpetual, where the line is worth a draw."""
BACK_RANKS = (0, 7)


def mate(line: Played) -> Motif | None:
    """The line ends in mate; on the back rank where its own pieces keep the king there."""
    if not line.is_mate:
        return None
    number = (len(line.moves) + 1) // 2
    king = line.end.king(line.end.turn)
    assert king is not None
    if is_back_rank(line.end, king):
        return Motif("back rank", f"it is mate in {number} on the back rank", len(line.moves) - 1)
    return Motif("mate", f"it is mate in {number}", len(line.moves) - 1)


def is_back_rank(board: chess.Board, king: chess.Square) -> bool:
    """Is a mated king checked along its first rank, with own pieces on all squares in front of it?"""
    rank = BACK_RANKS[not board.turn]
    if chess.square_rank(king) != rank or not any(chess.square_rank(square) == rank for square in board.checkers()):
        return False
    ahead = chess.BB_RANKS[1 if rank == 0 else 6] & chess.BB_KING_ATTACKS[king]
    is_hit = any(board.attackers(not board.turn, square) for square in chess.SquareSet(ahead))
    return ahead & board.occupied_co[board.turn] == ahead and not is_hit


def removed_defender(line: Played) -> Motif | None:
    """A capture takes the guard of a piece, which is taken next."""
    for place in line.own:
        if place + 2 >= len(line.moves) or not line.is_capture(place) or not line.is_capture(place + 2):
            continue
        move, taking = line.moves[place], line.moves[place + 2]
        before, last = line.boards[place], line.boards[place + 2]
        guard, target = move.to_square, taking.to_square
        if (
            target not in (guard, line.moves[place + 1].to_square)
            and before.piece_at(guard) is not None
            and target in before.attacks(guard)
            and before.piece_at(target) == last.piece_at(target) is not None
            and before.attackers(line.attacker, target)
            and worth(last, taking) > 0
            and worth(before, chess.Move(taking.from_square, target)) <= 0
            and worth(before, move) <= worth(last, taking)
        ):
            return Motif("removed defender", f"{named(before, guard)} guarded {named(last, target)}", place)
    return None


def overloaded(line: Played) -> Motif | None:
    """A guard is made to leave, by taking or by moving away, and what it guarded falls or mates."""
    for place in line.own:
        if place + 2 >= len(line.moves):
            break
        reply, taking = line.moves[place + 1], line.moves[place + 2]
        after, last, done = line.boards[place + 1], line.boards[place + 2], line.boards[place + 3]
        guard, target = reply.from_square, taking.to_square
        is_prize = (line.is_capture(place + 2) and worth(last, taking) > 0) or done.is_checkmate()
        if (
            is_prize
            and target not in {reply.to_square, guard}
            and target in after.attacks(guard)
            and target not in last.attacks(reply.to_square)
            and (after.is_check() or line.is_capture(place + 1))
            and (value_at(last, target) or done.is_checkmate())
        ):
            what = named(last, target) if last.piece_at(target) else chess.square_name(target)
            square = chess.square_name(reply.to_square)
            return Motif(
                "overloaded defender", f"drawn to {square}, {named(after, guard)} no longer guards {what}", place
            )
    return None


def promotion(line: Played) -> Motif | None:
    """A pawn of the attacker promotes."""
    for place in line.own:
        move = line.moves[place]
        if move.promotion is not None:
            return Motif("promotion", f"the pawn promotes on {chess.square_name(move.to_square)}", place)
    return None


def perpetual(line: Played) -> Motif | None:
    """All moves of the attacker give check, and a position comes again."""
    checks = [line.boards[place + 1].is_check() for place in line.own]
    keys = [board.epd() for board in line.boards]
    if len(checks) < LEAST_CHECKS or not all(checks) or len(set(keys)) == len(keys):
        return None
    return Motif("perpetual check", "the checks do not end")
