"""python-chess' engine module with its default limits: a game with ponder, an analysis that streams, options."""

import chess
import chess.engine

from tools.clients.desk import ClientError
from tools.clients.family import MARK
from tools.clients.opponents import RandomMover

MOST_MOVES = 30
CLOCK = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
LINES = 3
POSITIONS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
)


def play(desk):
    """Run all checks; python-chess raises errors."""
    try:
        with chess.engine.SimpleEngine.popen_uci(
            str(desk.engine), env={**desk.environment, MARK: desk.family.mark}
        ) as engine:
            play_game(desk, engine)
            analyse(engine)
    except (chess.engine.EngineError, TimeoutError) as error:
        raise ClientError(f"{type(error).__name__}: {error}") from error


def play_game(desk, engine):
    """A game with ponder against random moves, a third of them those our engine expects."""
    board, player = chess.Board(), RandomMover()
    engine.configure({"Hash": 8})
    for _ in range(MOST_MOVES):
        answer = engine.play(board, CLOCK, ponder=True, info=chess.engine.INFO_ALL)
        board.push(answer.move)
        if board.is_game_over():
            break
        board.push(player.move(board, answer.ponder))
        if board.is_game_over():
            break
    desk.rounds += 1
    desk.note(f"python-chess {chess.__version__}: a game of {board.ply()} half-moves against {player.name}")


def analyse(engine):
    """Analyses: MultiPV, a stopped stream, root moves, no legal move."""
    board = chess.Board(POSITIONS[0])
    lines = engine.analyse(board, chess.engine.Limit(time=0.5), multipv=LINES)
    if len({line["pv"][0] for line in lines}) != LINES:
        raise ClientError(f"{LINES} lines were asked for: {lines}")
    with engine.analysis(board) as stream:
        for info in stream:
            if info.get("depth", 0) >= 6:
                break
    wanted = [board.parse_san("Rb1"), board.parse_san("a3")]
    found = engine.play(board, chess.engine.Limit(depth=4), root_moves=wanted).move
    if found not in wanted:
        raise ClientError(f"{found} was played, only {wanted} were allowed")
    for fen in POSITIONS[1:]:
        board = chess.Board(fen)
        move = engine.play(board, chess.engine.Limit(time=0.2)).move
        if (move is None) == any(board.legal_moves):
            raise ClientError(f"{move} was played in {fen}")
    engine.ping()
