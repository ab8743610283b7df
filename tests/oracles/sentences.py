"""Checks what sentences about moves say, by python-chess alone, written apart from what writes them.

Material is searched: all captures, either side free to stop. What is said of squares is looked up on the board.
"""

import re

import chess

VALUES = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9}
COUNTS = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
STORY = 8
PIECE = r"the (pawn|knight|bishop|rook|queen|king) on ([a-h][1-8])"
ITEM = r"(?:a|two|three|four|five) (?:pawn|knight|bishop|rook|queen)s?"
TRADE = rf"({ITEM}(?:(?:, | and ){ITEM})*)(?: for ({ITEM}(?:(?:, | and ){ITEM})*))?"


def balance(board, colour):
    """Pawns one side is ahead."""
    return sum(
        value * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, value in zip((1, 2, 3, 4, 5), VALUES.values(), strict=True)
    )


def quiet_balance(board, colour, depth=8):
    """The same once captures are over, both sides taking what they like best."""
    standing = balance(board, colour)
    if depth == 0:
        return standing
    wants = max if board.turn == colour else min
    for move in list(board.generate_legal_captures()):
        board.push(move)
        standing = wants(standing, quiet_balance(board, colour, depth - 1))
        board.pop()
    return standing


def counted(words):
    """Pawns that listed pieces are worth together."""
    total = 0
    for number, name in re.findall(r"(a|two|three|four|five) (\w+?)s?\b", words or ""):
        total += COUNTS[number] * VALUES[name]
    return total


def after(board, moves):
    """The position after moves."""
    stage = board.copy(stack=False)
    for move in moves:
        stage.push(move)
    return stage


def is_there(board, name, square):
    """Does such a piece stand there?"""
    piece = board.piece_at(chess.parse_square(square))
    return piece is not None and chess.piece_name(piece.piece_type) == name


def wrong_trade(words, board, moves, sign):
    """What is wrong with "loses X for Y" or "wins X for Y"; empty if nothing."""
    found = re.search(TRADE, words)
    assert found is not None, words
    told = sign * (counted(found[1]) - counted(found[2]))
    end = after(board, moves)
    true = quiet_balance(end, board.turn) - balance(board, board.turn)
    return "" if told == true else f"told {told:+}, on the board {true:+}"


def wrong_motif(words, line_board, moves):
    """What is wrong with the clause of a motif; `moves` lead from the board to the end of the line."""
    stages = [after(line_board, moves[:count]) for count in range(len(moves) + 1)]
    if found := re.search(rf"the (\w+) forks {PIECE}(?:, {PIECE})* and {PIECE}", words):
        targets = re.findall(PIECE, words[found.start() :])
        holds = any(
            all(is_there(stage, *target) for target in targets)
            and any(
                stage.piece_type_at(square) == chess.PIECE_NAMES.index(found[1])
                and all(chess.parse_square(target) in stage.attacks(square) for _, target in targets)
                for square in chess.SquareSet(stage.occupied_co[not stage.turn])
            )
            for stage in stages
        )
        return "" if holds else "no such fork"
    if found := re.search(rf"{PIECE} hangs: nothing guards it", words):
        stage, square = stages[0], chess.parse_square(found[2])
        bare = stages[1]
        holds = is_there(stage, found[1], found[2]) and moves[0].to_square == square
        return "" if holds and not bare.attackers(bare.turn, square) else "it is guarded"
    if found := re.search(rf"the (\w+) skewers {PIECE} and {PIECE}", words):
        holds = any(is_there(stage, found[2], found[3]) and is_there(stage, found[4], found[5]) for stage in stages)
        return "" if holds else "no such skewer"
    if found := re.search(rf"pins {PIECE} to its king|{PIECE} is pinned to its king", words):
        name, square = (found[1] or found[3]), (found[2] or found[4])
        holds = any(
            is_there(stage, name, square) and stage.is_pinned(colour, chess.parse_square(square))
            for stage in stages
            for colour in chess.COLORS
            if stage.color_at(chess.parse_square(square)) == colour
        )
        return "" if holds else "no such pin"
    if found := re.search(rf"drawn to ([a-h][1-8]), {PIECE} no longer guards", words):
        holds = any(
            is_there(stage, found[2], found[3]) and chess.square_name(move.to_square) == found[1]
            for stage, move in zip(stages, moves, strict=False)
        )
        return "" if holds else "nothing is drawn there"
    if found := re.search(rf"{PIECE} guarded {PIECE}", words):
        holds = any(
            is_there(stage, found[1], found[2])
            and is_there(stage, found[3], found[4])
            and chess.parse_square(found[4]) in stage.attacks(chess.parse_square(found[2]))
            for stage in stages
        )
        return "" if holds else "it did not guard it"
    named = re.findall(PIECE, words)
    return "" if all(any(is_there(stage, *one) for stage in stages) for one in named) else "no such piece"


def wrong(found):
    """All that is wrong with the sentences of a Why; empty if nothing is."""
    faults, board = list[str](), found.board
    first, second = found.sentences
    for words, moves in ((first, found.answer), (second, found.line)):
        if "mate in" in words and "leads to" not in words and "is mate in" not in words.partition(":")[0]:
            end = after(board, moves)
            count = int(re.search(r"mate in (\d+)", words)[1])
            is_own = end.turn != board.turn
            plies = len(moves) if is_own else len(moves) - 1
            if not end.is_checkmate() or count != (plies + 1) // 2:
                faults.append("no such mate")
        elif " loses " in words and "zugzwang" not in words:
            faults.append(wrong_trade(words.partition(" loses ")[2], board, moves[: STORY + 1], -1))
            reply = after(board, moves[:1])
            faults.append(wrong_motif(words, reply, moves[1 : STORY + 1]))
        elif " wins " in words:
            most = STORY + 1 if words is first else STORY
            faults.append(wrong_trade(words.partition(" wins ")[2], board, moves[:most], 1))
            faults.append(wrong_motif(words, board, moves[:most]))
    return [fault for fault in faults if fault]
