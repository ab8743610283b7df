"""Words that were given up for the field's stay away from names, docstrings, help texts and messages."""

import ast
import re
from functools import cache

import pytest

from quiesce.cachekey import PACKAGE

OLD_OPTIONS = r"InternalReduction|SecondLook|PriorHistory|Table(Cut|Pv|Noisy|Clock|Eval)|EvalClock"
GIVEN_UP = {
    r"men|man": "piece, pieces (pawns included); piece_count",
    r"ledgers?": "trace (EVAL_TRACE)",
    r"sight": "attacks (ATTACKS)",
    r"offshoots": "perturbed positions",
    r"wander(s|ed|ing)?": "random walk",
    r"look_again|forget_seen|ready_side|forget_sums|is_seen_alike|zone_of|follow_side": "accumulator.py's names",
    r"foretell\w*|foretold": "predict",
    r"foresight": "td_lambda",
    r"win_scale": "sigmoid_scale",
    r"taken_up": "resume_training",
    r"centipawns?": "points, for the unit inside",
    r"crews?|hire|bury": "pool, start, reap",
    r"judge_(pawns|pieces|danger|shelters?|threats|passed|bare_king)|new_judge|note_sight": "evaluate_pawns, ...",
    r"second_look|unknown_reduction|may_pass|is_far_above|is_far_below|is_put_off|skip_move": "the technique's name",
    OLD_OPTIONS: "the names in search/params.py",
}
"""What is not said any more, and what is said instead."""
ALLOWED = {
    "men|man": {
        ("batch/positions.py", "men"),  # the field of the array of positions, which users read
        ("board/rows.py", "men"),
        ("lab/datafiles.py", "men"),  # a key of `quiesce data check --json`
        ("cli/data.py", "men"),
    },
    "offshoots": {"cli/datagen.py", "lab/datafiles.py", "lab/datagen.py"},  # an option's name, and files that have it
    "foresight": {"cli/data.py", "eval/tdlambda.py", "train/settings.py"},  # the old option, and headers of files
    "win_scale": {"eval/tdlambda.py", "train/settings.py"},
    "centipawns?": {"api", "batch", "cli", "engine", "lab", "review", "trace", "uci", "web"},  # what people see
    OLD_OPTIONS: {"search/params.py"},
}
FILES = sorted(PACKAGE.rglob("*.py"))


def names_of(node):
    """The names that a node of a syntax tree introduces."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.arg | ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Attribute):
        yield node.attr


@cache
def words_of(path):
    """All names of a file, and all its texts: docstrings, help, messages, keys."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return texts | {name for node in ast.walk(tree) for name in names_of(node)}


def is_allowed(pattern, place, word):
    """May a file say this?"""
    allowed = ALLOWED.get(pattern, set())
    return bool({place, place.split("/")[0], (place, word)} & allowed)


@pytest.mark.parametrize("pattern", GIVEN_UP)
def test_words_that_were_given_up_stay_away(pattern):
    """Nothing in the package says them; the message tells the word that is used instead."""
    wrong = {
        f"{place}: {match[0]!r} in {text[:60]!r}"
        for path in FILES
        for text in words_of(path)
        for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text)
        if not is_allowed(pattern, place := path.relative_to(PACKAGE).as_posix(), match[0])
    }
    assert not wrong, f"say {GIVEN_UP[pattern]}: {sorted(wrong)}"


def test_a_word_that_comes_back_is_found():
    """The pattern finds a name, a docstring and a message, and leaves longer words alone."""
    tree = words_of(FILES[0]) | {"men", "A man on a square.", "salesmen", "man-made"}
    found = [text for text in tree if re.search(r"(?<![\w-])(?:men|man)(?![\w-])", text)]
    assert sorted(found) == ["A man on a square.", "men"]
