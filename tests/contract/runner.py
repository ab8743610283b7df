"""Runs python-chess's own tests of engines and the examples of its page on our engine, and tells how each ended.

Run as `python runner.py FOLDER WAY`: over UCI ("uci") a program named stockfish that is ours is found by PATH; in
process ("inside") only `popen_uci` is replaced. A line of JSON for each test and example: name, trouble, output.
"""

import io
import json
import re
import sys
import textwrap
import traceback
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import chess.engine

TESTS = (
    "test_sf_forced_mates",
    "test_sf_options",
    "test_sf_analysis",
    "test_sf_multipv",
    "test_sf_quit",
)
BLOCK = re.compile(r"^\.\. code(?:-block)?:: python\n(?:   :caption: .*\n)?\n((?:    .*\n|\n)+)", re.MULTILINE)
PATHS = re.compile(r'r?"[^"\n]*stockfish[^"\n]*"')
TENTH = re.compile(r"Limit\(time=0\.1\)(\)\s+board\.push)")
"""A whole game at a tenth of a second a move takes half a minute: a hundredth shows the same."""


def examples(page: str) -> dict[str, str]:
    """The page's examples by name, as programs that start `stockfish`; the one that needs a server is left out."""
    found = {}
    for number, text in enumerate(BLOCK.findall(page), 1):
        program = PATHS.sub('"stockfish"', textwrap.dedent(text))
        program = TENTH.sub(r"Limit(time=0.01)\1", program)
        kind = "async" if "await " in program else "sync" if "engine" in program else "plain"
        if "asyncssh" in program:
            continue
        if kind == "sync" and "engine.quit()" not in program and "SimpleEngine" in program:
            program += "engine.quit()\n"  # the page's example goes on from there
        found[f"example_{number}_{kind}"] = program
    return found


def run_test(case: unittest.TestCase) -> tuple[str, str]:
    """What went wrong in a test, nothing if all was well; a skip is trouble too."""
    result = unittest.TestResult()
    case.run(result)
    bad = [text for _, text in (*result.failures, *result.errors, *result.skipped)]
    return "\n".join(bad), ""


def run_example(program: str) -> tuple[str, str]:
    """What went wrong in an example, and what it printed."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            exec(compile(program, "example", "exec"), {"__name__": "__main__"})
    except Exception:  # noqa: BLE001  (an example may fail in any way)
        return traceback.format_exc(), said.getvalue()
    return "", said.getvalue()


def replace_popen() -> None:
    """Let whoever starts an engine get ours, in this process."""
    import quiesce  # noqa: PLC0415  (over UCI nothing of ours is in this process)

    async def popen_uci(_, **rest):
        return await quiesce.popen_uci("quiesce", **rest)

    chess.engine.SimpleEngine.popen_uci = lambda _, **rest: quiesce.Engine.popen_uci("quiesce", **rest)
    chess.engine.popen_uci = popen_uci


def main() -> None:
    """Run everything."""
    folder, way = Path(sys.argv[1]), sys.argv[2]
    if way == "inside":
        replace_popen()
    sys.path.insert(0, str(folder))
    import test  # noqa: PLC0415  (their file, found only now)

    def tell(name: str, trouble: str, output: str) -> None:
        print(json.dumps({"name": name, "trouble": trouble, "output": output}), flush=True)

    for name in TESTS:
        tell(name, *run_test(test.EngineTestCase(name)))
    for name, program in examples((folder / "docs" / "engine.rst").read_text(encoding="utf-8")).items():
        tell(name, *run_example(program))


if __name__ == "__main__":
    main()
