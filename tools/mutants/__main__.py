"""Plant faults, run the narrow tests on each, and print those that no test notices.

Run: python -m tools.mutants [MODULE ...] (or `make mutants`), from the checkout's root. The sample is drawn by a fixed
seed. Results are kept in build/mutants/session.jsonl, and the same command resumes. Each core works in its own
temporary clone; the checkout is not changed.
"""

import argparse
import hashlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tools.mutants.faults import SOURCES, Fault, sample
from tools.mutants.session import Session, equivalents, table
from tools.mutants.targets import TARGETS, Target
from tools.mutants.trial import Clone

SESSION = Path("build/mutants/session.jsonl")
INTERRUPTED = 130


def told() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="modules to look at, as uci/session.py; unless given, all")
    parser.add_argument("--each", type=int, default=40, help="faults of each module at most (40)")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample (1)")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds of the quick tests of one fault (10)")
    parser.add_argument("--cores", type=int, default=2, help="clones that work side by side (2)")
    parser.add_argument("--report", action="store_true", help="judge nothing, only show the table")
    return parser.parse_args()


def main() -> int:
    """Test the remaining faults and print the table; the exit code is 1 if one survived."""
    args = told()
    root = Path.cwd()
    unknown = set(args.modules) - {target.module for target in TARGETS}
    if unknown or not (root / SOURCES).is_dir():
        sys.exit(f"no target: {', '.join(sorted(unknown))}" if unknown else "run it from the checkout's root")
    targets = [target for target in TARGETS if not args.modules or target.module in args.modules]
    session, rows = Session(SESSION), []
    work: list[tuple[Target, Fault, str, str]] = []
    for target in targets:
        source = (root / SOURCES / target.module).read_text("utf-8")
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        work += [(target, fault, digest, source) for fault in sample(target.module, source, args.each, args.seed)]
    if not args.report:
        try:
            judge_all(work, session, root, args.limit, args.cores)
        except KeyboardInterrupt:
            print("interrupted: what was judged is kept, the same command goes on")
            return INTERRUPTED
    for _target, fault, digest, _source in work:
        row = session.find(fault, digest)
        rows += [row] if row is not None else []
    lines, survivors = table(rows, equivalents())
    print("\n\n".join(survivors), *lines, f"seed {args.seed}, {args.each} a module", sep="\n")
    return 1 if survivors else 0


def judge_all(
    work: list[tuple[Target, Fault, str, str]], session: Session, root: Path, limit: float, cores: int
) -> None:
    """Judge what the session does not know, on several cores."""
    left = [job for job in work if session.find(job[1], job[2]) is None]
    if not left:
        return
    with tempfile.TemporaryDirectory(prefix="quiesce-mutants-") as folder:
        clones: SimpleQueue[Clone] = SimpleQueue()
        for number in range(cores):
            clones.put(Clone(root, Path(folder) / str(number)))
        first = clones.get()
        refused = {}
        for target in dict.fromkeys(job[0] for job in left):
            reason = first.baseline(target, limit)
            if reason is not None:
                refused[target.module] = reason
                print(f"{target.module} is left out: {reason}", flush=True)
        clones.put(first)
        left = [job for job in left if job[0].module not in refused]

        def judge(number: int, job: tuple[Target, Fault, str, str]) -> None:
            target, fault, digest, source = job
            clone = clones.get()
            try:
                outcome = clone.judge(target, fault, limit)
            finally:
                clones.put(clone)
            session.add(fault, digest, fault.patch(source), outcome)
            print(f"{number}/{len(left)} {outcome.end:9} {outcome.seconds:4.1f} s  {fault.identity}", flush=True)

        with ThreadPoolExecutor(cores) as pool:
            try:
                for done in [pool.submit(judge, number, job) for number, job in enumerate(left, 1)]:
                    done.result()
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                raise


if __name__ == "__main__":
    sys.exit(main())
