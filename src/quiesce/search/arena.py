"""Kernels. The arena: two settings of our own search play a game at fixed nodes, wholly compiled."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.draws import GAME_KEYS, is_insufficient_material, is_move_clock_full
from quiesce.board.makemove import make_move
from quiesce.board.movegen import generate_all
from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, MOVE_LIST, WHITE, u64
from quiesce.eval.evaluate import is_bare
from quiesce.jit import copy_record, entry, kernel
from quiesce.records import Field, record
from quiesce.search.deepen import deepen, prepare_search
from quiesce.search.interior import INTERIOR_DEPTH, take_interior
from quiesce.search.tt import GENERATIONS, TABLE
from quiesce.search.worker import INTERIOR, WORKER

LONGEST_GAME = 400
"""Plies after which a game is called drawn."""
MOST_INTERIOR = 4
"""Interior nodes that can be kept of a move's search."""
WHITE_WINS, DRAWN, BLACK_WINS, BROKEN_OFF = 1, 0, -1, 2
"""How a game ended, White's side; BROKEN_OFF if it was stopped."""

ARENA = record(
    Field("position", POSITION, "the position on the board"),
    Field("keys", ("u8", (LONGEST_GAME + 2,)), "keys since the last irreversible move"),
    Field("index", "i8", "where the position lies among them"),
    Field("plies", "i8", "moves played"),
    Field("moves", ("u2", (LONGEST_GAME + 2,)), "those moves"),
    Field("scores", ("i2", (LONGEST_GAME + 2,)), "what the mover thought of each, points"),
    Field("soft_nodes", "i8", "nodes of a move after which no further iteration begins"),
    Field("nodes", "i8", "nodes after which a move's search ends"),
    Field("win_score", "i8", "points both must agree on for a game to be called won"),
    Field("win_plies", "i8", "for this number of plies in a row"),
    Field("draw_score", "i8", "points below which both must agree that it is drawn"),
    Field("draw_plies", "i8", "for this number of plies in a row, after as many moves"),
    Field("bare_score", "i8", "points against a bare king that are a win at once, 0 where it must be mated"),
    Field("interior_wanted", "i8", "interior nodes kept of each move's search, at most"),
    Field("interior_count", "i8", "how many were kept in this game"),
    Field("interior", (INTERIOR, (MOST_INTERIOR * LONGEST_GAME,)), "those nodes, scores from their movers' sides"),
    Field("stop", ("i8", (1,)), "set by anybody to break the game off"),
)

REPLAY = record(
    Field("positions", (POSITION, (LONGEST_GAME + 2,)), "before each move, and after the last"),
    Field("choices", ("i8", (LONGEST_GAME + 2,)), "legal moves in each but the last"),
    Field("list", MOVE_LIST, "those moves"),
)


@kernel
def show_game(w, game):
    """Hand a worker the position and as much of the game as can be repeated."""
    copy_record(w.stack[u64(0)], game.position)
    first = max(np.int64(0), game.index - (GAME_KEYS - 1))
    for index in range(first, game.index + 1):
        w.path.keys[u64(index - first)] = game.keys[u64(index)]
    w.root_index = game.index - first


@kernel
def choose(w, t, tt, game):
    """Search the position on the board and return whether there is a move; the best is the first root move."""
    show_game(w, game)
    tt.generation = (tt.generation + u64(1)) % u64(GENERATIONS)
    w.interior_depth = INTERIOR_DEPTH if game.interior_wanted > 0 else 0
    if prepare_search(w, t, game.nodes, np.int64(1)) == 0:
        return False
    deepen(w, t, tt, game.soft_nodes)
    game.interior_count = take_interior(w, game.interior, game.interior_count, game.interior_wanted)
    return True


@kernel
def is_rule_draw(game):
    """Is the game drawn by rule or by length?"""
    pos = game.position
    if is_move_clock_full(pos) or is_insufficient_material(pos) or game.plies >= LONGEST_GAME:
        return True
    times = 0
    for back in range(4, min(np.int64(pos.reversible), game.index) + 1, 2):
        if game.keys[u64(game.index - back)] == pos.key:
            times += 1
    return times >= 2


@kernel
def is_bare_lost(game, side):
    """Has a side nothing but its king, and enough against it to be called lost?"""
    if game.bare_score == 0 or game.plies == 0 or not is_bare(game.position, side):
        return False
    score = np.int64(game.scores[u64(game.plies - 1)])
    mover = u64(game.position.turn) ^ BLACK
    return (score if mover != side else -score) >= game.bare_score


@kernel
def adjudicate(game):
    """What both sides have agreed on for long enough: WHITE_WINS, BLACK_WINS, DRAWN, or BROKEN_OFF for nothing yet."""
    won, drawn = 0, 0
    for back in range(1, game.plies + 1):
        score = np.int64(game.scores[u64(game.plies - back)])
        mover_is_white = (u64(game.position.turn) ^ u64(back & 1)) == 0
        white = score if mover_is_white else -score
        if back - 1 == won and white >= game.win_score:
            won += 1
        if back - 1 == -won and white <= -game.win_score:
            won -= 1
        if back - 1 == drawn and abs(score) <= game.draw_score:
            drawn += 1
        if back > max(abs(won), drawn):
            break
    if won >= game.win_plies or is_bare_lost(game, BLACK):
        return WHITE_WINS
    if -won >= game.win_plies or is_bare_lost(game, WHITE):
        return BLACK_WINS
    return DRAWN if drawn >= game.draw_plies and game.plies >= 2 * game.draw_plies else BROKEN_OFF


@kernel
def play_best(w, t, game):
    """Play the worker's best move on the board."""
    child = w.stack[u64(1)]
    move, score = u64(w.roots[u64(0)].move), w.roots[u64(0)].score
    make_move(t, game.position, child, move)
    copy_record(game.position, child)
    game.moves[u64(game.plies)] = move
    game.scores[u64(game.plies)] = max(-32_000, min(32_000, score))
    game.plies += 1
    game.index = 0 if child.reversible == 0 else game.index + 1
    game.keys[u64(game.index)] = child.key


@entry(ARENA, TABLES, WORKER, TABLE, WORKER, TABLE, lazy=True)
def play_game(game, t, white, white_tt, black, black_tt):
    """Play the game on from the position on its board; returns how it ended."""
    game.plies = 0
    game.interior_count = 0
    game.index = 0
    game.keys[u64(0)] = game.position.key
    while True:
        if game.stop[0] != 0:
            return BROKEN_OFF
        if is_rule_draw(game) and game.position.checkers == 0:
            return DRAWN
        verdict = adjudicate(game)
        if verdict != BROKEN_OFF:
            return verdict
        black_to_move = u64(game.position.turn) == BLACK
        has_move = choose(black, t, black_tt, game) if black_to_move else choose(white, t, white_tt, game)
        if not has_move:
            if game.position.checkers == 0:
                return DRAWN
            return WHITE_WINS if black_to_move else BLACK_WINS
        if is_rule_draw(game):
            return DRAWN
        if black_to_move:
            play_best(black, t, game)
        else:
            play_best(white, t, game)


@entry(ARENA, TABLES, REPLAY, lazy=True)
def replay_game(game, t, replay):
    """Play the moves of a game again from the first of `positions`, counting what there was to choose from."""
    for ply in range(u64(game.plies)):
        replay.choices[ply] = generate_all(t, replay.positions[ply], replay.list)
        make_move(t, replay.positions[ply], replay.positions[ply + u64(1)], u64(game.moves[ply]))
    return game.plies
