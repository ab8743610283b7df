"""Shell. Engines asked about positions: deep searches as judges, and what they say without any search."""

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.eval.evaluate import explain_eval, explain_network
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.names import EVALS, NETWORK_SUFFIX, uses_network
from quiesce.eval.netfile import Network, NetworkError, read_network, reference_eval
from quiesce.eval.network import is_played
from quiesce.eval.samples import UNKNOWN, features, pack_positions
from quiesce.eval.weights import WeightsError
from quiesce.lab.match.channel import Fault
from quiesce.lab.match.engines import EngineSpec, engine_named
from quiesce.lab.match.player import MoveBudget, Player
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.statictest.positions import Judgement, StaticFile
from quiesce.lab.suites.scoring import MATE_SCORE, Limit
from quiesce.records import new
from quiesce.work.lifetime import bound_to_us

TOLD = re.compile(r"^(?:Final|Total) evaluation:?\s+([+-]?\d+(?:\.\d+)?)", re.MULTILINE | re.IGNORECASE)
"""How engines of the Stockfish family answer `eval`, in pawns of White's."""
EVAL_SECONDS = 600.0
NAME = re.compile(r"^id name (.+)$", re.MULTILINE)

Points = npt.NDArray[np.float64]


def engine_with_options(text: str) -> EngineSpec:
    """An engine as in `engine_named`, with options after commas: `stockfish, Use NNUE=false`."""
    name, *options = [part.strip() for part in text.split(",")]
    engine = engine_named(name)
    told = dict(option.split("=", 1) for option in options if "=" in option)
    if len(told) != len(options):
        raise SetUpError(f"{text!r}: options are written NAME=VALUE")
    return replace(engine, options=engine.options | told)


def name_of(engine: EngineSpec) -> str:
    """What an engine calls itself."""
    done = subprocess.run(
        engine.command_line(), input="uci\nquit\n", capture_output=True, text=True, timeout=EVAL_SECONDS, check=False
    )
    found = NAME.search(done.stdout)
    return found[1].strip() if found else engine.name


def scores_of(player: Player, fen: str, limit: Limit) -> int:
    """The score of a search for the side to move."""
    player.new_game(fen, is_chess960=False)
    found = player.think(chess.Board(fen), MoveBudget(seconds=limit.seconds, nodes=limit.nodes, depth=limit.depth))
    if found.mate is not None:
        return MATE_SCORE - found.mate if found.mate > 0 else -MATE_SCORE - found.mate
    if found.score is None:
        raise SetUpError(f"{player.name} says no score of {fen}")
    return found.score


def judged(engine: EngineSpec, limit: Limit, file: StaticFile) -> Judgement:
    """The judgement of an engine at a limit in a file; created if missing."""
    program = str(engine.identity().get("program") or engine.identity().get("sources", ""))
    options = {name: str(value) for name, value in engine.options.items()}
    found = Judgement(name_of(engine), options, str(limit), program, [None] * len(file.fens))
    for known in file.judgements:
        if (known.engine, known.options, known.limit, known.program) == (
            found.engine, found.options, found.limit, found.program
        ):  # fmt: skip
            return known
    file.judgements.append(found)
    return found


def judge_all(
    engine: EngineSpec, limit: Limit, file: StaticFile, concurrency: int, on_score: Callable[[int, int], None]
) -> None:
    """Search each unjudged position with an engine; `on_score` gets the number of finished ones."""
    found = judged(engine, limit, file)
    missing = [number for number, score in enumerate(found.scores) if score is None]
    shares = [missing[part::concurrency] for part in range(concurrency)]
    players: list[Player] = []

    def work(share: list[int]) -> Iterator[None]:
        player = engine.start()
        players.append(player)
        for number in share:
            found.scores[number] = scores_of(player, file.fens[number], limit)
            on_score(sum(score is not None for score in found.scores), len(found.scores))
            yield

    try:
        with ThreadPoolExecutor(concurrency, "judge") as pool:
            for future in [pool.submit(list, work(share)) for share in shares]:
                future.result()
    except Fault as error:
        raise SetUpError(f"{engine.title}: {error}") from None
    finally:
        for player in players:
            with suppress(Fault, OSError):
                player.close()


def is_ours(name: str) -> bool:
    """Is it an evaluation of this engine: a network or terms, by name or file?"""
    return name in EVALS or name.endswith((NETWORK_SUFFIX, ".json"))


def own_points(name: str, fens: Sequence[str]) -> Points:
    """Our evaluation of positions, for the side to move."""
    positions = [Game(fen).position for fen in fens]
    try:
        if name.endswith(NETWORK_SUFFIX) and not is_played((network := read_network(Path(name))).size):
            return by_reference(network, positions)
        evaluator, trace = new_evaluator(name), new(EVAL_TRACE)
    except (NetworkError, WeightsError) as error:
        raise SetUpError(str(error)) from None
    if uses_network(name):
        return np.array([explain_network(evaluator, position) for position in positions], np.float64)
    return np.array([explain_eval(tables(), evaluator, position, trace) for position in positions], np.float64)


def by_reference(network: Network, positions: Sequence[Any]) -> Points:
    """A network's values by the slow reference arithmetic, for sizes that the engine does not play."""
    samples = pack_positions(np.array(positions), 0, UNKNOWN)
    piece_count = np.bitwise_count(samples["occupancy"]).astype(np.int64)
    return reference_eval(network, *features(samples), piece_count).astype(np.float64)


def foreign_points(engine: EngineSpec, fens: Sequence[str]) -> Points:
    """Another engine's `eval` of positions, for the side to move."""
    options = [f"setoption name {name} value {value}" for name, value in engine.options.items()]
    asked = [line for fen in fens for line in (f"position fen {fen}", "eval")]
    text = "\n".join(["uci", *options, "isready", *asked, "quit", ""])
    bound: dict[str, Any] = bound_to_us()
    done = subprocess.run(
        engine.command_line(), input=text, capture_output=True, text=True, timeout=EVAL_SECONDS, check=False, **bound
    )
    found = np.array([float(pawns) for pawns in TOLD.findall(done.stdout)])
    if len(found) != len(fens):
        raise SetUpError(f"{engine.title} answers `eval` {len(found)} times of {len(fens)}")
    return np.where([" b " in fen for fen in fens], -100 * found, 100 * found)


def points_of(name: str, fens: Sequence[str]) -> Points:
    """An evaluation of positions without search, for the side to move, in any unit."""
    return own_points(name, fens) if is_ours(name) else foreign_points(engine_with_options(name), fens)
