"""Shell. Motifs of double attack and of lines: fork, skewer, discovered attack, pin, hanging and trapped pieces."""

import chess

from quiesce.review.exchange import (
    NAMES,
    VALUES,
    captures_on,
    exchange,
    is_loose,
    joined,
    named,
    value_at,
    weight,
    worth,
)
from quiesce.review.motifs.played import Motif, Played

SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
LEAST_TARGET = 3
"""Pawns a piece must be worth to be a target of its own."""


def fork(line: Played) -> Motif | None:
    """One piece attacks two that it wins or checks, cannot be taken at a profit, and takes one of them."""
    for place in line.own:
        if place + 2 >= len(line.moves):
            break
        move, after = line.moves[place], line.boards[place + 1]
        taking = line.moves[place + 2]
        targets = forked(after, move.to_square)
        if (
            len(targets) >= 2
            and taking.from_square == move.to_square
            and taking.to_square in targets
            and line.moves[place + 1].to_square != move.to_square
            and exchange(after, move.to_square) == 0
            and worth(line.boards[place + 2], taking) > 0
        ):
            words = joined(named(after, square) for square in sorted(targets, key=lambda s: -weight_at(after, s)))
            kind = after.piece_type_at(move.to_square)
            assert kind is not None
            return Motif("fork", f"the {NAMES[kind]} forks {words}", place)
    return None


def weight_at(board: chess.Board, square: chess.Square) -> int:
    """Weight of what stands on a square."""
    return weight(board.piece_type_at(square))


def forked(board: chess.Board, square: chess.Square) -> list[chess.Square]:
    """Enemies that a piece attacks and that cannot bear it: a king, one worth more, or one that is loose."""
    kind, found = board.piece_type_at(square), list[chess.Square]()
    assert kind is not None
    for target in board.attacks(square) & board.occupied_co[board.turn]:
        at = board.piece_type_at(target)
        if at == chess.KING or (
            VALUES[at or chess.PAWN] >= LEAST_TARGET
            and (weight(at) > weight(kind) or not board.attackers(board.turn, target))
        ):
            found.append(target)
    return found


def skewer(line: Played) -> Motif | None:
    """A slider attacks a piece that moves away, and takes what stood behind it on the same line."""
    for place in line.own:
        if place + 2 >= len(line.moves):
            break
        move, reply, taking = line.moves[place : place + 3]
        after, last = line.boards[place + 1], line.boards[place + 2]
        front = reply.from_square
        if (
            after.piece_type_at(move.to_square) in SLIDERS
            and taking.from_square == move.to_square
            and front in after.attacks(move.to_square)
            and reply.to_square != move.to_square
            and taking.to_square in chess.SquareSet(chess.ray(move.to_square, front))
            and front in chess.SquareSet(chess.between(move.to_square, taking.to_square))
            and after.piece_at(taking.to_square) == last.piece_at(taking.to_square) != None  # noqa: E711
            and weight_at(after, front) > weight_at(after, taking.to_square)
            and worth(last, taking) > 0
            and value_at(last, taking.to_square) >= LEAST_TARGET
        ):
            words = f"skewers {named(after, front)} and {named(after, taking.to_square)}"
            return Motif("skewer", f"the {NAMES[after.piece_type_at(move.to_square) or 1]} {words}", place)
    return None


def discovered(line: Played) -> Motif | None:
    """A move opens a line: another piece gives check by it, or takes what it attacks by it."""
    for place in line.own:
        move, before, after = line.moves[place], line.boards[place], line.boards[place + 1]
        others = [square for square in after.checkers() if square != move.to_square]
        if others and not before.is_castling(move) and line.wins and after.piece_type_at(others[0]) in SLIDERS:
            return Motif("discovered attack", f"{named(after, others[0])} gives a discovered check", place)
        if place + 2 >= len(line.moves):
            continue
        taking, last = line.moves[place + 2], line.boards[place + 2]
        opener = taking.from_square
        if (
            opener != move.to_square
            and last.piece_type_at(opener) in SLIDERS
            and move.from_square in chess.SquareSet(chess.between(opener, taking.to_square))
            and taking.to_square in after.attacks(opener)
            and taking.to_square not in before.attacks(opener)
            and line.is_capture(place + 2)
            and line.moves[place + 1].to_square != taking.to_square
            and worth(last, taking) > 0
        ):
            words = f"uncovers {named(after, opener)}, which attacks {named(last, taking.to_square)}"
            return Motif(
                "discovered attack", f"the {NAMES[before.piece_type_at(move.from_square) or 1]} {words}", place
            )
    return None


def pin(line: Played) -> Motif | None:
    """A pinned piece is lost to what pins it, or cannot take what would else be lost."""
    for place in line.own:
        for found in (pinned_down(line, place), pinned_guard(line, place)):
            if found is not None:
                return found
    return None


def pinned_down(line: Played, place: int) -> Motif | None:
    """A slider pins a piece worth more than itself, or one that it then takes, to its king."""
    move, after = line.moves[place], line.boards[place + 1]
    kind = after.piece_type_at(move.to_square)
    if (
        kind not in SLIDERS
        or place + 2 >= len(line.moves)
        or exchange(after, move.to_square) > value_at(after, move.to_square)
    ):
        return None
    reply, taking = line.moves[place + 1], line.moves[place + 2]
    for victim in after.attacks(move.to_square) & after.occupied_co[after.turn]:
        if after.piece_type_at(victim) == chess.PAWN or pinner_of(after, victim) != move.to_square:
            continue
        is_taken = taking.to_square == victim and reply.from_square != victim
        is_sold = reply == chess.Move(victim, move.to_square) and taking.to_square == move.to_square
        is_worth = worth(line.boards[place + 2], taking) > 0
        if is_worth and (is_taken or (is_sold and weight_at(after, victim) > weight(kind))):
            return Motif("pin", f"the {NAMES[kind]} pins {named(after, victim)} to its king", place)
    return None


def pinned_guard(line: Played, place: int) -> Motif | None:
    """A pinned piece may not take the piece that has just moved, and nothing else may either."""
    square, before, after = line.moves[place].to_square, line.boards[place], line.boards[place + 1]
    if captures_on(after, square):
        return None
    for guard in after.attackers(not line.attacker, square):
        if after.piece_type_at(guard) == chess.KING or pinner_of(after, guard) is None:
            continue
        if square not in after.pin(not line.attacker, guard) and (
            value_at(before, square) or attacks_more(after, square)
        ):
            words = f"{named(after, guard)} is pinned to its king and cannot take on {chess.square_name(square)}"
            return Motif("pin", words, place)
    return None


def attacks_more(board: chess.Board, square: chess.Square) -> bool:
    """Does a piece attack the king, or one worth more than itself?"""
    own = weight_at(board, square)
    return any(weight_at(board, target) > own for target in board.attacks(square) & board.occupied_co[board.turn])


def pinner_of(board: chess.Board, square: chess.Square) -> chess.Square | None:
    """The slider that pins a piece to its king."""
    piece = board.piece_at(square)
    king = None if piece is None else board.king(piece.color)
    if piece is None or king is None:
        return None
    line = board.pin(piece.color, square)
    return next(
        (
            other
            for other in line & board.occupied_co[not piece.color]
            if board.piece_type_at(other) in SLIDERS and square in chess.SquareSet(chess.between(king, other))
        ),
        None,
    )


def hanging(line: Played) -> Motif | None:
    """The first move takes an unguarded piece."""
    move, before, after = line.moves[0], line.boards[0], line.boards[1]
    if value_at(before, move.to_square) < LEAST_TARGET or exchange(after, move.to_square) > 0:
        return None
    if after.attackers(not line.attacker, move.to_square):
        return None
    return Motif("hanging piece", f"{named(before, move.to_square)} hangs: nothing guards it")


def trapped(line: Played) -> Motif | None:
    """A piece that is attacked has no square on which it is not lost, and is taken."""
    for place in line.own[1:]:
        taking, last = line.moves[place], line.boards[place]
        victim = last.piece_at(taking.to_square)
        if victim is None or VALUES[victim.piece_type] < LEAST_TARGET:
            continue
        reply, stood = line.moves[place - 1], line.boards[place - 1]
        home = reply.from_square if reply.to_square == taking.to_square else taking.to_square
        if (
            not stood.is_check()
            and stood.piece_at(home) == victim
            and is_trapped(stood, home)
            and worth(last, taking) > 0
        ):
            return Motif("trapped piece", f"{named(stood, home)} has no safe square", place - 2)
    return None


def is_trapped(board: chess.Board, square: chess.Square) -> bool:
    """Is a piece of the side to move attacked at a loss, and lost wherever it goes?"""
    if not is_loose(board, square):
        return False
    moves = [move for move in board.legal_moves if move.from_square == square]
    if not moves:
        return False
    for move in moves:
        after = board.copy(stack=False)
        after.push(move)
        if exchange(after, move.to_square) <= value_at(board, move.to_square):
            return False
    return True
