"""The evaluation: incremental equals from scratch, symmetric, bounded; weights are read, packed and refused."""

import json
import shutil
from pathlib import Path

import chess
import pytest
from click.testing import CliRunner

import quiesce
from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.cli import cli
from quiesce.eval.breakdown import breakdown, grouped
from quiesce.eval.evaluate import EVAL_LIMIT, classical_eval, explain_eval, refresh_psqt, update_psqt
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator, set_weights
from quiesce.eval.network import ACCUMULATOR
from quiesce.eval.terms import SETS, TERMS
from quiesce.eval.weights import FITTED_FILE, WeightsError, hand_table, pack, read_table, unfitted, unpack, weights
from quiesce.records import new
from tests.conftest import run_json
from tests.oracles import randomplay

OVERFLOW = "7k/QQQQR3/2B5/4KN1Q/3QQ3/8/8/4R3 b - - 0 1"


def scratch(position):
    """PSQT and phase computed from scratch."""
    accumulator = new(ACCUMULATOR)
    refresh_psqt(weights(), accumulator, position)
    return accumulator


def value_of(position, evaluator=None):
    """The static evaluation from scratch, mover's side."""
    return int(explain_eval(tables(), evaluator or new_evaluator(), position, new(EVAL_TRACE)))


def test_incremental_equals_from_scratch():
    """PSQT, phase and pawn table, updated move by move, give the evaluation from scratch (eval perft)."""
    moves, kept, fresh = 0, new_evaluator(), new_evaluator()
    for board, choice in randomplay.games(seed=21):
        game = Game(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)
        accumulator = scratch(game.position)
        while game.legal_moves() and len(game.moves) < 80:
            game.push(choice.choice(game.legal_moves()))
            after = new(ACCUMULATOR)
            update_psqt(weights(), after, accumulator, game.position)
            accumulator, counted = after, scratch(game.position)
            assert (after.psqt, after.phase) == (counted.psqt, counted.phase)
            value = int(classical_eval(tables(), kept, after, game.position))
            assert value == value_of(game.position, fresh), game.fen()
            moves += 1
        if moves > 600:
            return


def test_symmetric_under_colour_flip():
    """A position and its mirror with colours changed get the same number."""
    seen, evaluator = 0, new_evaluator()
    for board, choice in randomplay.games(seed=22):
        for _ in range(60):
            if not any(board.legal_moves):
                break
            board.push(randomplay.lively(board, choice))
            one, other = Game(board.fen(), board.chess960), Game(board.mirror().fen(), board.chess960)
            assert value_of(one.position, evaluator) == value_of(other.position, evaluator), board.fen()
            seen += 1
        if seen > 300:
            return


@pytest.mark.parametrize("name", SETS)
def test_bounded(name):
    """Even the position that overflowed another engine's evaluation stays within the limit."""
    assert -EVAL_LIMIT <= value_of(Game(OVERFLOW).position, new_evaluator(name)) < -3_000


def test_other_weights_forget_the_pawns():
    """What was computed with old weights is not used with new ones."""
    position, evaluator = Game("4k3/pp3ppp/8/8/3P4/8/PP4PP/4K3 w - - 0 1").position, new_evaluator("hand")
    accumulator = new(ACCUMULATOR)
    refresh_psqt(evaluator.weights, accumulator, position)
    by_hand = int(classical_eval(tables(), evaluator, accumulator, position))
    set_weights(evaluator, "squares")
    refresh_psqt(evaluator.weights, accumulator, position)
    by_squares = int(classical_eval(tables(), evaluator, accumulator, position))
    assert by_squares == value_of(position, new_evaluator("squares")) != by_hand


def test_breakdown_sums_exactly():
    """Rows by weight and rows by group both sum to the total, which makes the value."""
    for board in randomplay.boards(seed=23, count=150):
        found = breakdown(Game(board.fen(), board.chess960).position)
        for rows in (found.rows, grouped(found)):
            assert tuple(sum(row.total[part] for row in rows) for part in (0, 1)) == found.total
        middle, ending = found.total
        whole = middle * found.phase * 128 + ending * (24 - found.phase) * found.scale
        assert found.value == max(-EVAL_LIMIT, min(EVAL_LIMIT, (whole if board.turn else -whole) // (24 * 128)))


@pytest.mark.parametrize("score", [(0, 0), (5, -7), (-5, 7), (-1, -1), (20_000, -20_000), (-32_000, 32_000)])
def test_pairs_pack(score):
    """A packed score unpacks to its two numbers, whatever their signs; packed scores add up."""
    assert unpack(pack(score)) == score
    assert unpack(pack(score) * 3 + pack((1, -2))) == (3 * score[0] + 1, 3 * score[1] - 2)


def test_weights_ship_for_every_term():
    """The fit covers the table, and differs from the values by hand where it may."""
    table = read_table(FITTED_FILE)
    assert set(table) == {term.name for term in TERMS}
    assert all(table[term.name] == list(term.hand) for term in TERMS if not term.is_fitted)
    assert table != hand_table()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda found: found["weights"].update(tempo=[]), "tempo needs 1 weights, has 0"),
        (lambda found: found["weights"].update(temper=[[1, 1]]), "there is no term 'temper'"),
        (lambda found: found["weights"]["passed"].pop(), "passed needs 8 weights, has 7"),
        (lambda found: found["weights"].update(tempo=[["x", 1]]), "no file of weights"),
        (lambda found: found["weights"].update(tempo=[[10**9, 1]]), "no weight between"),
        (lambda found: found["weights"].update(tempo=[[1.5, 1]]), "no weight between"),
        (lambda found: found["weights"].update(tempo=[[float("inf"), 1]]), "no weight between"),
        (lambda found: found["weights"].update(tempo=[[1, 2, 3]]), "no file of weights"),
        (lambda found: found.update(weights={}), "not a file of weights: it holds none"),
        (lambda found: found.pop("weights"), "no file of weights"),
    ],
)
def test_bad_files_are_refused(tmp_path, change, reason):
    """A file that lacks something is refused with the reason."""
    found = json.loads(FITTED_FILE.read_text(encoding="utf-8"))
    change(found)
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(WeightsError, match=reason):
        read_table(path)
    path.write_text("[" * 100_000)
    with pytest.raises(WeightsError, match="nested too deeply"):
        read_table(path)
    with pytest.raises(WeightsError, match="no file of weights"):
        read_table(tmp_path / "nothing.json")


def test_a_term_that_was_not_fitted_counts_by_hand(tmp_path):
    """A file that knows nothing of a term leaves it its values by hand, and the term can be told."""
    found = json.loads(FITTED_FILE.read_text(encoding="utf-8"))
    fitted = found["weights"].pop("tempo")
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    assert read_table(path)["tempo"] == hand_table()["tempo"] != fitted
    assert read_table(path) == read_table(FITTED_FILE) | {"tempo": hand_table()["tempo"]}
    assert unfitted(str(path)) == ["tempo"]
    assert [unfitted(name) for name in SETS] == [[], [], []]
    shown = CliRunner().invoke(cli, ["eval", "--weights", str(path), "startpos"])
    assert "not fitted, by hand: tempo" in shown.output


NEW_ROW = '    one("lone_bishop", "imbalance", 11, 40, "a term nobody has fitted"),\n'
NEW_COUNT = '    score += term_score(evaluator, trace, WHITE, TERM_INDEX["lone_bishop"], 1)\n'
NEW_TERM = """
import json
from quiesce.board.game import Game
from quiesce.eval.breakdown import breakdown
from quiesce.eval.network import ACCUMULATOR
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.evaluate import explain_eval
from quiesce.eval.weights import unfitted, unpack
from quiesce.board.tables import tables
from quiesce.records import new

position = Game("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1").position
told = [[row.white, row.black] for row in breakdown(position, "fitted").rows if row.name == "lone_bishop"]
sums = []
for mode in ("fitted", "network"):
    trace = new(EVAL_TRACE)
    explain_eval(tables(), new_evaluator(mode), position, trace)
    sums.append(unpack(int(trace.score)))
print(json.dumps({"told": told, "unfitted": unfitted("fitted"), "sums": sums}))
"""


def test_a_new_term_works_before_any_fit(tmp_path):
    """Two lines, a row and a count, and the evaluation has it, also where a network evaluates and terms help out."""
    sources = tmp_path / "quiesce"
    shutil.copytree(Path(quiesce.__file__).parent, sources, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for name, before, line in (
        ("terms.py", '    one("tempo"', NEW_ROW),
        ("evaluate.py", "    tempo = term_score(", NEW_COUNT),
    ):
        path = sources / "eval" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, line + before), encoding="utf-8")
    plain = breakdown(Game("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1").position, "fitted").total
    found = run_json("-c", NEW_TERM, NUMBA_DISABLE_JIT="1", PYTHONPATH=str(tmp_path))
    assert found["told"] == [[[11, 40], [0, 0]]]
    assert found["unfitted"] == ["lone_bishop"]
    assert found["sums"] == [[plain[0] + 11, plain[1] + 40]] * 2


def test_in_the_start_position_only_the_move_counts():
    """Both sides are equal but for the tempo."""
    table = read_table(FITTED_FILE)
    assert value_of(Game(chess.STARTING_FEN).position) == table["tempo"][0][0]
