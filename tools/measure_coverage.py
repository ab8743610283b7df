"""How many lines the tests run: of shells, as they are, and of kernels, as plain Python without the compiler.

Run: python tools/measure_coverage.py [shells|kernels] (or `make coverage`), from the checkout's root. Compiled code
cannot be watched line by line, so kernels are run with NUMBA_DISABLE_JIT=1, a few hundred times slower: a test that
takes too long is cut short, and counts for the lines it has reached. Each part stops at its limit; there are two
figures, and a line for each package.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import coverage

from quiesce.cachekey import PACKAGE

KERNELS, SHELLS = "kernels", "shells"
TESTS = {
    SHELLS: ["api", "batch", "cli", "uci", "web", "lab", "train", "test_engine.py", "test_cachekey.py"],
    KERNELS: ["eval", "board", "search"],
}
SLOW_WITHOUT_COMPILER = ["--timeout=2", "--tb=no", "-W", "ignore::RuntimeWarning"]  # 64-bit hashes wrap around
LIMIT_SECONDS = 400.0
"""Of each part; what was reached by then counts."""
PARTING_SECONDS = 20.0
TESTS_FAILED = 1


def run_tests(part, folder):
    """Run the tests of a part under coverage, up to the limit."""
    paths = [str(Path("tests", name)) for name in TESTS[part]]
    without = {"NUMBA_DISABLE_JIT": "1"} if part == KERNELS else {}
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-p", "no:cacheprovider", *paths]
    process = subprocess.Popen(
        [*command, *(SLOW_WITHOUT_COMPILER if part == KERNELS else [])],
        env=os.environ | without | {"COVERAGE_FILE": str(folder / part)},
        stdout=sys.stderr,
    )
    for seconds, word in ((LIMIT_SECONDS, signal.SIGINT), (PARTING_SECONDS, signal.SIGTERM)):
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:  # then threads of a test that was cut short: coverage keeps what it has
            process.send_signal(word)
        else:
            return code if word == signal.SIGINT else TESTS_FAILED
    try:
        process.wait(PARTING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"the tests of {part} did not end when they were asked to, so there is no figure")
    return TESTS_FAILED


def part_of(path):
    """Which part a file belongs to, as its first word says."""
    return KERNELS if path.read_text(encoding="utf-8").startswith('"""Kernels.') else SHELLS


def lines_of(part, folder):
    """Lines that can run, and lines that did, by package."""
    measured = coverage.Coverage(data_file=str(folder / part))
    measured.combine([str(folder)], strict=False)
    total, reached = Counter(), Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        if part_of(path) == part:
            _, lines, _, missing, _ = measured.analysis2(str(path))
            package = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
            total[package] += len(lines)
            reached[package] += len(lines) - len(missing)
    return total, reached


def main():
    """Measure both parts, and print the figures."""
    for part in sys.argv[1:] or TESTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if run_tests(part, folder) > TESTS_FAILED:
                sys.exit(f"the tests of {part} did not run")
            total, reached = lines_of(part, folder)
        print(f"{part}: {reached.total() / total.total():.1%} of {total.total():,} lines", flush=True)
        for package in total:
            if total[package]:
                print(f"    {package:<10} {reached[package] / total[package]:>6.1%} of {total[package]:>6,}")


if __name__ == "__main__":
    main()
