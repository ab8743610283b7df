"""Find positions of real games in which a search without quiescence blunders and one with it does not.

Run: python tools/find_horizon.py GAMES.pgn STOCKFISH > tests/data/horizon.epd
Stockfish is the judge: the blunder loses at least LOSS centipawns against its best move, the other move at most SAME.
"""

import sys

import chess
import chess.engine
import chess.pgn

from quiesce.board.bridge import from_board, to_chess_move
from quiesce.engine import Engine, Limits

DEPTH = 4
FIRST_PLY, LAST_PLY, STEP = 20, 70, 3
LOSS, SAME = 250, 50
JUDGE = chess.engine.Limit(depth=14)
WANTED, A_GAME = 16, 1


def choice(engine, board):
    """The move an engine plays at DEPTH, from nothing learnt."""
    engine.new_game()
    return to_chess_move(engine.search(from_board(board), Limits(depth=DEPTH)).lines[0].moves[0])


def value(judge, board, move):
    """Centipawns of a move for its mover."""
    info = judge.analyse(board, JUDGE, root_moves=[move])
    return info["score"].pov(board.turn).score(mate_score=10_000)


def candidates(game, blind, seeing):
    """Positions of a game in which the two play differently."""
    board = game.board()
    for ply, move in enumerate(game.mainline_moves()):
        if FIRST_PLY <= ply <= LAST_PLY and ply % STEP == 0 and not board.is_check():
            moves = choice(blind, board), choice(seeing, board)
            if moves[0] != moves[1]:
                yield board.copy(stack=False), *moves
        board.push(move)


def title(game, board):
    """Who played, where and when, and at which move."""
    tags = game.headers
    where = ", ".join(tags[key] for key in ("Event", "Site") if tags.get(key, "?") != "?")
    return f"{tags['White']} - {tags['Black']}, {where} {tags['Date'][:4]}, move {board.fullmove_number}"


def main():
    """Print positions as EPD until there are enough."""
    found = 0
    judge = chess.engine.SimpleEngine.popen_uci(sys.argv[2])
    with Engine(4, {"UseQuiescence": 0}) as blind, Engine(4) as seeing, open(sys.argv[1], encoding="utf-8") as games:  # noqa: PTH123
        while found < WANTED and (game := chess.pgn.read_game(games)) is not None:
            here = 0
            for board, blunder, sound in candidates(game, blind, seeing):
                best = judge.analyse(board, JUDGE)["score"].pov(board.turn).score(mate_score=10_000)
                if best - value(judge, board, sound) > SAME or best - value(judge, board, blunder) < LOSS:
                    continue
                name = title(game, board).replace('"', "'")
                print(board.epd(am=[blunder], bm=[sound], id=name, acd=DEPTH), flush=True)
                found, here = found + 1, here + 1
                if here == A_GAME or found == WANTED:
                    break
    judge.quit()


if __name__ == "__main__":
    main()
