"""Find positions of real games in which a search without quiescence blunders and one with it does not.

Run: python tools/find_horizon.py GAMES.pgn STOCKFISH > tests/data/horizon.epd
Stockfish is the judge: a blunder loses at least LOSS centipawns against its best move, the other move at most SAME.
Both the plain search, which never changes, and the engine as it ships must show it; their blunders may differ.
"""

import sys

import chess
import chess.engine
import chess.pgn

from quiesce.board.bridge import from_board, to_chess_move
from quiesce.engine import Engine, Limits
from quiesce.search.params import all_off

DEPTH = 4
FIRST_PLY, LAST_PLY, STEP = 20, 70, 3
LOSS, SAME = 250, 50
JUDGE = chess.engine.Limit(depth=14)
WANTED = 16


def engines():
    """The plain search and the engine as it ships, each blind and seeing."""
    for options in (all_off(), {}):
        pair = []
        for switch in (0, 1):
            pair.append(Engine(4, options | {"UseQuiescence": switch}))
            if options:
                pair[-1].set_weights("hand")
        yield tuple(pair)


def choice(engine, board):
    """The move an engine plays at DEPTH, with empty tables."""
    engine.new_game()
    return to_chess_move(engine.search(from_board(board), Limits(depth=DEPTH)).lines[0].moves[0])


def value(judge, board, move):
    """Centipawns of a move for its mover."""
    info = judge.analyse(board, JUDGE, root_moves=[move])
    return info["score"].pov(board.turn).score(mate_score=10_000)


def candidates(game, pairs):
    """Positions of a game in which blind and seeing play differently, with the moves of both."""
    board = game.board()
    for ply, move in enumerate(game.mainline_moves()):
        if FIRST_PLY <= ply <= LAST_PLY and ply % STEP == 0 and not board.is_check():
            moves = [(choice(blind, board), choice(seeing, board)) for blind, seeing in pairs]
            if not {blunder for blunder, _ in moves} & {sound for _, sound in moves}:
                yield board.copy(stack=False), [list(dict.fromkeys(column)) for column in zip(*moves, strict=True)]
        board.push(move)


def is_demonstration(judge, board, blunders, sounds):
    """Does Stockfish agree that all blunders lose and all sound moves do not?"""
    best = judge.analyse(board, JUDGE)["score"].pov(board.turn).score(mate_score=10_000)
    if any(best - value(judge, board, move) < LOSS for move in blunders):
        return False
    return all(best - value(judge, board, move) <= SAME for move in sounds)


def title(game, board):
    """Players, place, date and move number."""
    tags = game.headers
    where = ", ".join(tags[key] for key in ("Event", "Site") if tags.get(key, "?") != "?")
    return f"{tags['White']} - {tags['Black']}, {where} {tags['Date'][:4]}, move {board.fullmove_number}"


def main():
    """Print positions as EPD until there are enough, one a game."""
    found, pairs = 0, list(engines())
    judge = chess.engine.SimpleEngine.popen_uci(sys.argv[2])
    with open(sys.argv[1], encoding="utf-8") as games:  # noqa: PTH123
        while found < WANTED and (game := chess.pgn.read_game(games)) is not None:
            for board, (blunders, sounds) in candidates(game, pairs):
                if is_demonstration(judge, board, blunders, sounds):
                    name = title(game, board).replace('"', "'")
                    print(board.epd(am=blunders, bm=sounds, id=name, acd=DEPTH), flush=True)
                    found += 1
                    break
    judge.quit()
    for engine in (engine for pair in pairs for engine in pair):
        engine.close()


if __name__ == "__main__":
    main()
