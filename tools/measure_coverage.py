"""How many lines the tests run: of shells, as they are, and of kernels, as plain Python without the compiler.

Run: python tools/measure_coverage.py [shells|kernels] (or `make coverage`), from the checkout's root. Compiled code
cannot be watched line by line, so kernels are run with NUMBA_DISABLE_JIT=1, some hundred times slower: by the tests
that are quick all the same, which are named here. Nothing is cut short, so that figures can be compared. There are two
of them, with a line for each package, and the files that are run least.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import coverage

from quiesce.cachekey import PACKAGE

KERNELS, SHELLS = "kernels", "shells"
TESTS = {
    SHELLS: (
        *("api", "batch", "board", "cli", "engine", "eval", "lab", "review", "search", "trace", "train", "uci", "web"),
        "work",
        *("test_cachekey.py", "test_records.py"),
    ),
    KERNELS: (
        *("batch/test_board.py", "batch/test_pgn.py", "batch/test_positions.py", "board", "eval", "lab/test_perft.py"),
        *("search", "test_records.py"),
    ),
}
LEFT_OUT = {
    SHELLS: (
        "board/test_perft.py",  # kernels alone
        "web/browser",  # the same server as test_server.py, and lines of TypeScript that nobody counts here
    ),
    KERNELS: (
        "board/test_perft.py",  # millions of leaves; lab/test_perft.py has hundreds
        "eval/test_perturbed.py",  # plays games
        "search/test_debug.py",  # the next three search deep
        "search/test_negamax.py",
        "search/test_qsearch.py",
    ),
}
SLOW_WITHOUT_COMPILER = (
    "test_upcoming_repetition_is_what_trying_all_moves_finds",
    "test_random_play_agrees_with_python_chess",
    "test_exchanges_played_out",
    "test_an_engine_takes_a_network_and_gives_it_back",
    "test_the_output_fills_wide_instructions",
    "test_inputs_are_found_fast",
    "test_pair_is_the_sum_of_its_counts",
    "test_mirror_exchanges_the_sides",
    "test_each_move_exactly_once",
    "test_counters_add_up",
    "test_torn_entries_are_never_believed",
    "test_rubbish_does_no_harm",
    "test_spoilt_rows_are_bad_or_positions",
)
OPTIONS = {
    SHELLS: (),
    KERNELS: ("-k", " and ".join(f"not {name}" for name in SLOW_WITHOUT_COMPILER), "-W", "ignore::RuntimeWarning"),
}
"""Without the compiler NumPy warns of 64-bit hashes that wrap around, as they should."""
LIMIT_SECONDS = 900.0
"""Of each part; far more than it takes."""
LEAST_SHOWN = 8
TESTS_FAILED = 1


def run_tests(part, folder):
    """Run the tests of a part under coverage; returns pytest's exit code."""
    paths = [str(Path("tests", name)) for name in TESTS[part]]
    left_out = [f"--ignore={Path('tests', name)}" for name in LEFT_OUT[part]]
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-p", "no:cacheprovider"]
    without = {"NUMBA_DISABLE_JIT": "1"} if part == KERNELS else {}
    try:
        return subprocess.run(
            [*command, "--numprocesses", "auto", "--dist", "loadgroup", *paths, *left_out, *OPTIONS[part]],
            env=os.environ | without | {"COVERAGE_FILE": str(folder / part)},
            stdout=sys.stderr,
            timeout=LIMIT_SECONDS,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        sys.exit(f"the tests of {part} did not end within {LIMIT_SECONDS:.0f} s, so there is no figure")


def part_of(path):
    """Which part a file belongs to, as its first word says."""
    return KERNELS if path.read_text(encoding="utf-8").startswith('"""Kernels.') else SHELLS


def lines_of(part, folder):
    """Lines that can run, and lines that did, by file."""
    measured = coverage.Coverage(data_file=str(folder / part))
    measured.combine([str(folder)], strict=False)
    total, reached = Counter(), Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        if part_of(path) == part:
            _, lines, _, missing, _ = measured.analysis2(str(path))
            name = path.relative_to(PACKAGE)
            total[name] = len(lines)
            reached[name] = len(lines) - len(missing)
    return total, reached


def by_package(counts):
    """Counts of files, summed by package."""
    summed = Counter()
    for name, count in counts.items():
        summed[name.parts[0].removesuffix(".py")] += count
    return summed


def tell(part, total, reached, seconds):
    """Print the figures of a part."""
    share = reached.total() / total.total()
    print(f"{part}: {share:.1%} of {total.total():,} lines, measured in {seconds:.0f} s", flush=True)
    packages, run = by_package(total), by_package(reached)
    for package, lines in packages.items():
        if lines:
            print(f"    {package:<10} {run[package] / lines:>6.1%} of {lines:>6,}")
    least = sorted(total, key=lambda name: reached[name] - total[name])[:LEAST_SHOWN]
    print(
        "  most lines not run:", ", ".join(f"{name} {total[name] - reached[name]} of {total[name]}" for name in least)
    )


def main():
    """Measure both parts, and print the figures."""
    for part in sys.argv[1:] or TESTS:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            code = run_tests(part, folder)
            if code > TESTS_FAILED:
                sys.exit(f"the tests of {part} did not run")
            tell(part, *lines_of(part, folder), time.monotonic() - started)
        if code:
            print(f"  some tests of {part} failed, see above: lines that they did not reach are not counted")


if __name__ == "__main__":
    main()
