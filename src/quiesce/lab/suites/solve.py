"""Shell. Problems solved by a pool: tasks, the engine each worker keeps, and items kept before they count."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from quiesce.lab.match.channel import CRASH, Fault
from quiesce.lab.match.engines import UCI, EngineSpec, is_installed
from quiesce.lab.match.player import STALL_SECONDS
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.suites.foreign import UciSolver
from quiesce.lab.suites.own import OwnSolver
from quiesce.lab.suites.problems import Problem, Suite, problem_from
from quiesce.lab.suites.scoring import Glimpse, Limit, Result, failed, outcome_of, points_of, rule_of
from quiesce.work.lifetime import at_end
from quiesce.work.pool import WorkerPool
from quiesce.work.store import Run, Store

KIND = "suite"
DEAF_TO_NODES = ("ethereal-chess", "toga2", "gnuchess")
"""Programs that do not honour `go nodes`: the first stops at depth 1, the others never answer."""

OUTCOME = {"id", "fen", "move", "solved", "points", "max_points", "seconds", "trouble"}
"""What a kept outcome has at least."""

OnOutcome = Callable[[Mapping[str, Any]], None]


class Solver(Protocol):
    """An engine that solves problems."""

    def solve(self, problem: Problem) -> tuple[list[Glimpse], Glimpse]:
        """The best moves over time, and the answer; raises Fault."""

    def close(self) -> None:
        """End the engine."""


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine that solves suites: ours in the worker's process, with options and threads, or a program."""

    engine: EngineSpec = field(default_factory=EngineSpec)
    options: Mapping[str, int] = field(default_factory=dict)
    threads: int = 1
    command: tuple[str, ...] = ()
    """None for ours."""
    told: str = ""
    """What a program calls itself."""
    label: str = ""
    """Name to show, if not its own."""

    @property
    def name(self) -> str:
        """The name to show."""
        if self.label:
            return self.label
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.engine.title} ({options})" if options else self.engine.title

    def facts(self) -> dict[str, Any]:
        """What a worker needs to start it."""
        return {
            "command": list(self.command),
            "folder": self.engine.folder,
            "options": dict(self.options) if not self.command else self.engine.options,
            "threads": self.threads,
        }

    def config(self) -> dict[str, Any]:
        """What decides its answers."""
        identity = self.engine.identity() | ({"told": self.told} if self.command else {})
        return {"engine": identity, "options": dict(self.options), "threads": self.threads}


def contender_of(engine: EngineSpec, limit: Limit) -> Contender:
    """A program as a contender, started once to see that it can be; raises SetUpError."""
    if engine.protocol != UCI:
        raise SetUpError(f"{engine.name} speaks {engine.protocol}; only {UCI.upper()} engines solve suites")
    if not is_installed(engine):
        raise SetUpError(f"{engine.name} is not installed: no {engine.command[0]}")
    if limit.nodes is not None and engine.command and Path(engine.command[0]).name in DEAF_TO_NODES:
        raise SetUpError(f"{engine.name} does not honour a limit of nodes: give a time")
    command = engine.command_line()
    solver = UciSolver(command, engine.options, engine.folder, limit)
    try:
        return Contender(engine, command=command, told=solver.name)
    finally:
        solver.close()


class Seat:
    """The one engine of a worker, kept running from problem to problem."""

    def __init__(self) -> None:
        self._key = ""
        self._solver: Solver | None = None
        at_end(self.clear)

    def solver(self, task: Mapping[str, Any]) -> Solver:
        """The engine of a task, started if need be; another one that sat here is ended."""
        key = json.dumps([task["contender"], task["limit"], task["grace"]], sort_keys=True)
        if self._solver is None or key != self._key:
            self.clear()
            self._solver, self._key = started(task), key
        return self._solver

    def clear(self) -> None:
        """End the engine."""
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.close()


@cache
def seat(_: int) -> Seat:
    """The one of a thread: some clusters have several workers in a process."""
    return Seat()


def started(task: Mapping[str, Any]) -> Solver:
    """The engine of a task, running."""
    told, limit = task["contender"], Limit(**task["limit"])
    if not told["command"]:
        return OwnSolver(limit, told["options"], told["threads"])
    return UciSolver(told["command"], told["options"], told["folder"], limit, task["grace"])


def solve_one(task: dict[str, Any]) -> dict[str, Any]:
    """Solve a problem. After a fault it counts as unsolved, and the engine is restarted for the next."""
    problem, place = problem_from(task["problem"]), seat(threading.get_ident())
    try:
        return outcome_of(problem, *place.solver(task).solve(problem))
    except Fault as fault:
        trouble = f"{fault.kind}: {fault.words}"
    except SetUpError:
        place.clear()
        raise
    except Exception as error:  # noqa: BLE001  (whatever ours broke down over, it has not solved this)
        trouble = f"{CRASH}: {type(error).__name__}: {error}"
    place.clear()
    return failed(trouble)


def task_of(problem: Problem, contender: Contender, limit: Limit, grace: float) -> dict[str, Any]:
    """What a process anywhere needs to solve a problem."""
    return {"problem": problem.facts(), "contender": contender.facts(), "limit": limit.facts(), "grace": grace}


def run_of(store: Store, suite: Suite, contender: Contender, limit: Limit) -> Run:
    """The run in which a suite's outcomes are kept."""
    facts = {"suite": suite.name, "digest": suite.digest, "positions": len(suite.problems), "limit": limit.facts()}
    return store.run(KIND, f"{suite.name} / {contender.name} / {limit}", facts | contender.config())


def kept_outcomes(run: Run, count: int) -> dict[str, Any]:
    """Stored results of the first problems. Raises StoreError for invalid ones."""
    kept = dict[str, Any]()
    for key, facts in run.items().items():
        with run.read_as(key):
            if missing := OUTCOME - set(facts):
                raise KeyError(min(missing))
            if int(key) < count:
                kept[key] = facts
    return kept


def solve(
    problems: Sequence[Problem],
    pool: WorkerPool,
    contender: Contender,
    limit: Limit,
    run: Run,
    rule: str,
    on_outcome: OnOutcome | None = None,
    grace: float = STALL_SECONDS,
) -> list[Mapping[str, Any]]:
    """Have a pool solve what the run has not kept yet; returns the facts of all problems, in their order."""

    def tasks() -> Iterator[tuple[str, Any]]:
        for number, problem in enumerate(problems):
            if str(number) not in kept:
                yield str(number), task_of(problem, contender, limit, grace)

    with run.worked_on():
        kept = kept_outcomes(run, len(problems))
        if on_outcome is not None:
            for facts in kept.values():
                on_outcome(facts)
        for key, found in pool.do(solve_one, tasks()):
            problem = problems[int(key)]
            points, most = points_of(rule, problem, found)
            about = {"id": problem.name, "fen": problem.board.fen(), "points": points, "max_points": most}
            kept[key] = about | found
            run.add(key, kept[key])
            if on_outcome is not None:
                on_outcome(kept[key])
    return [kept[str(number)] for number in range(len(problems))]


def solve_suite(
    suite: Suite,
    first: int | None,
    pool: WorkerPool,
    contender: Contender,
    limit: Limit,
    store: Store,
    again: bool = False,
    on_outcome: OnOutcome | None = None,
) -> Result:
    """Results of a contender on a suite, or on its first problems; `again` discards stored ones."""
    run, rule = run_of(store, suite, contender, limit), rule_of(suite, limit)
    if again:
        with run.worked_on():
            store.forget(run)
        run = run_of(store, suite, contender, limit)
    outcomes = solve(suite.problems[:first], pool, contender, limit, run, rule, on_outcome)
    return Result(suite.name, contender.name, limit, rule, outcomes)
