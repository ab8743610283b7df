"""The one table of techniques: defaults in range, names that hold, every row read by some kernel."""

import re

import pytest

from quiesce.cachekey import PACKAGE
from quiesce.engine.options import option_named, read_options
from quiesce.search.params import (
    BOUNDS,
    RENAMED,
    TECHNIQUES,
    OptionError,
    all_off,
    field_name,
    options,
)
from quiesce.search.settings import PARTS, params

KERNEL_TEXT = "\n".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "search").glob("*.py"))


def test_defaults_lie_within_their_bounds():
    """Each number starts where it may be."""
    for name, default, low, high, why in options():
        assert low <= default <= high, name
        assert low < high, name
        assert len(why) > 10, name


def test_names_are_unique():
    """One name, one number."""
    names = [name for name, *_ in options()]
    assert len(names) == len(set(names)) == len(BOUNDS)


@pytest.mark.parametrize("name", BOUNDS)
def test_every_row_is_read(name):
    """Some kernel reads each switch and each number; the reductions are read through their table."""
    assert re.search(rf"\b(params|filled)\.{field_name(name)}\b", KERNEL_TEXT), name


def test_field_names():
    """Option names become the kernels' words."""
    assert field_name("ReverseFutilityDepth") == "reverse_futility_depth"
    assert field_name("QSearchSEE") == "q_search_see"
    assert field_name("ProbCut") == "prob_cut"


def test_options_are_checked():
    """Unknown names and values out of bounds are refused with a sentence."""
    with pytest.raises(OptionError, match="no search option 'Foo'"):
        params({"Foo": 1})
    with pytest.raises(OptionError, match="NullMoveBase is 99, outside 1 to 6"):
        params({"NullMoveBase": 99})
    assert params({"NullMove": 0}).null_move == 0


@pytest.mark.parametrize(("old", "name"), RENAMED.items())
def test_old_names_are_understood(old, name):
    """An option's name of 0.1.0 sets the option that replaced it, in the search and for users; no name is both."""
    low, high = BOUNDS[name]
    other = high if params()[field_name(name)] == low else low
    assert params({old: other})[field_name(name)] == other
    assert option_named(old).name == option_named(old.upper()).name == name
    assert read_options({old: other}) == {name: other}
    assert old not in BOUNDS


def test_all_off_is_every_switch():
    """Plain search has no technique left."""
    assert set(all_off()) == {technique.name for technique in TECHNIQUES}
    left = {name for name, value in all_off().items() if value}
    assert left == {"UseQuiescence", "QSearchUnderpromotions"}, "without these something would be missing, not plain"


def test_reductions_grow():
    """Later moves at greater depth are reduced more."""
    table = params({"ReductionFractions": 1}).reductions
    assert table[1, 1] < PARTS
    for index in range(2, 63):
        assert table[index, 20] <= table[index + 1, 20]
        assert table[20, index] <= table[20, index + 1]
    assert table[10, 20] >= 2 * PARTS
    whole = params({"ReductionFractions": 0}).reductions
    assert (whole == table // PARTS * PARTS).all()
