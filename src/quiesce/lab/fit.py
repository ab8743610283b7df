"""Shell. A whole fit of the evaluation: games played or read, counted, descended upon, kept at every stage."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from quiesce import __version__
from quiesce.eval.weights import FITTED_FILE, Table, hand_table, plain_table, read_table
from quiesce.lab.datagen import DataPlan, Progress, grow_file
from quiesce.lab.fitdata import Dataset, FitError, counted_digest, digest_of, gather
from quiesce.lab.texel import IS_FITTED, Descent, Model, as_table, flat
from quiesce.work.cores import cores
from quiesce.work.files import written_whole
from quiesce.work.identity import sources_digest
from quiesce.work.pool import LocalPool
from quiesce.work.store import Store

HELD_OUT = 20
"""One game in this many is held out."""
RATES = ((0.0, 1.5), (0.6, 0.5), (0.85, 0.15))
"""From which share of the steps on, how far a step goes in points."""
KIND = "fit"
KEEP_EVERY = 20
"""Steps between two states kept on disk."""
DECIDING = ("plan", "files", "steps")
"""Fields of a record that describe the request; the others are results."""
FACTS = ("phase", "scale", "result", "game")
MATRIX_PARTS = ("data", "indices", "indptr")

OnProgress = Callable[[str, int, int], None]
"""Called with the step's name, its progress and its total."""


@dataclass(frozen=True, slots=True)
class Order:
    """A request: number of games of a plan, further files of games, steps of descent."""

    folder: Path
    plan: DataPlan
    positions: int
    more: tuple[Path, ...] = ()
    steps: int = 150
    concurrency: int = 0


def play_or_find(order: Order, report: OnProgress) -> list[Path]:
    """Files of all games; missing games are played."""
    if not order.positions:
        return list(order.more)

    def on_chunk(progress: Progress) -> None:
        report("playing", progress.chunks, progress.wanted)

    with LocalPool(order.concurrency or cores()) as pool:
        played, _ = grow_file(order.folder, order.plan, order.positions, pool, on_chunk)
    return [played, *order.more]


def count_or_find(order: Order, paths: list[Path], report: OnProgress) -> Dataset:
    """The positions of all games, counted once."""
    kept = order.folder / f"positions-{counted_digest(paths)}.npz"
    if not kept.exists():
        data = gather(paths, lambda games: report("counting terms", games, 0))
        save_dataset(kept, data)
        return data
    return load_dataset(kept)


def save_dataset(path: Path, data: Dataset) -> None:
    """Write positions."""
    arrays: dict[str, Any] = {name: getattr(data, name) for name in FACTS}
    for side, matrix in (("white", data.white), ("black", data.black)):
        arrays |= {f"{side}_{name}": getattr(matrix, name) for name in (*MATRIX_PARTS, "shape")}
    with written_whole(path) as file:
        np.savez(file, digest=np.array(data.digest), **arrays)


def load_dataset(path: Path) -> Dataset:
    """Read positions again."""
    with np.load(path, allow_pickle=False) as kept:
        sides = {}
        for side in ("white", "black"):
            parts = tuple(kept[f"{side}_{name}"] for name in MATRIX_PARTS)
            sides[side] = sparse.csr_matrix(parts, shape=tuple(kept[f"{side}_shape"]))
        return Dataset(**sides, **{name: kept[name] for name in FACTS}, digest=str(kept["digest"]))


def start_or_resume(path: Path, digest: str) -> Descent:
    """The descent kept for these data, or a new one from the values by hand."""
    anchor = flat(hand_table())
    if path.exists():
        with np.load(path, allow_pickle=False) as kept:
            if str(kept["digest"]) == digest:
                moments = {name: kept[name] for name in ("first", "second")}
                weights = np.where(IS_FITTED[:, None], kept["weights"], anchor)
                return Descent(weights, anchor, step=int(kept["step"]), **moments)
    return Descent(anchor.copy(), anchor)


def keep_descent(path: Path, descent: Descent, digest: str) -> None:
    """Write the state of a descent."""
    arrays = {name: getattr(descent, name) for name in ("weights", "step", "first", "second")}
    with written_whole(path) as file:
        np.savez(file, digest=np.array(digest), **arrays)


def rate_at(share: float) -> float:
    """How far a step goes after this share of all steps."""
    return [rate for start, rate in RATES if share >= start][-1]


def fit(order: Order, report: OnProgress) -> dict[str, Any]:
    """Do all that is still to be done; writes and returns the weights with the record of how they came about."""
    order.folder.mkdir(parents=True, exist_ok=True)
    paths = play_or_find(order, report)
    data = count_or_find(order, paths, report)
    held = data.game % HELD_OUT == 0
    if held.all():
        raise FitError("too few games: all of them would be held out")
    learnt, asked = Model(data.part(~held)), Model(data.part(held))
    state = order.folder / "descent.npz"
    descent = start_or_resume(state, data.digest)
    while descent.step < order.steps:
        descent.rate = rate_at(descent.step / order.steps)
        loss = descent.descend(learnt)
        report(f"fitting, loss {loss:.6f}", descent.step, order.steps)
        if descent.step % KEEP_EVERY == 0 or descent.step == order.steps:
            keep_descent(state, descent, data.digest)
    table = as_table(descent.weights)
    record = {
        "version": __version__,
        "plan": asdict(order.plan) | {"book": Path(order.plan.book).name, "positions": order.positions},
        "files": [(path.name, digest_of([path])) for path in paths],
        "positions": len(data),
        "games": len(np.unique(data.game)),
        "steps": descent.step,
        "loss": told(learnt, table),
        "held_out_loss": told(asked, table),
        "held_out_before": {name: told(asked, other) for name, other in others().items()},
    }
    write_result(order.folder / "fitted.json", record, table)
    return {"record": record, "weights": table}


def others() -> dict[str, Table]:
    """Weights the fit is compared with."""
    tables = {"hand": hand_table(), "squares": plain_table()}
    return tables | ({"shipped": read_table(FITTED_FILE)} if FITTED_FILE.exists() else {})


def told(model: Model, table: Table) -> float | None:
    """The loss of a table, rounded; None without positions."""
    loss = model.loss(flat(table))
    return None if np.isnan(loss) else round(loss, 6)


def write_result(path: Path, record: dict[str, Any], table: Table) -> None:
    """Write weights a line each, with their record."""
    lines = ",\n".join(f'    "{name}": {json.dumps(pairs)}' for name, pairs in table.items())
    with written_whole(path) as file:
        file.write(f'{{\n  "record": {json.dumps(record)},\n  "weights": {{\n{lines}\n  }}\n}}\n'.encode())


def keep_fit(store: Store, folder: Path, record: dict[str, Any]) -> None:
    """Keep a finished fit in the lab's store: what decided it, what came of it, and the file that was written."""
    config = {key: record[key] for key in DECIDING} | {"sources": sources_digest()}
    facts = {key: value for key, value in record.items() if key not in DECIDING}
    run = store.run(KIND, f"{record['games']} games, {record['steps']} steps", config)
    run.put("result", facts | {"file": str(folder.resolve() / "fitted.json")})
