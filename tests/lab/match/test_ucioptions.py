"""Options as engines declare them: what would be refused without a word is refused with one."""

import pytest

from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.ucioptions import ForeignOption, SetUpError, option_of


def test_declarations_are_read():
    """Names with blanks, bounds, choices with blanks."""
    assert option_of("option name Clear Hash type button") == ForeignOption("Clear Hash", "button")
    spin = ForeignOption("Move Overhead", "spin", -5, 90)
    assert option_of("option name Move Overhead type spin default 3 min -5 max 90") == spin
    style = option_of("option name Style type combo default Solid var Very Solid var Wild")
    assert style == ForeignOption("Style", "combo", choices=("Very Solid", "Wild"))
    assert option_of("option name SyzygyPath type string default <empty>") == ForeignOption("SyzygyPath", "string")
    assert option_of("id name x") is None


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        (ForeignOption("A", "check"), True, "setoption name A value true"),
        (ForeignOption("A", "check"), "0", "setoption name A value false"),
        (ForeignOption("A", "check"), 1, "setoption name A value true"),
        (ForeignOption("A", "spin", 1, 9), 9, "setoption name A value 9"),
        (ForeignOption("A", "spin", -9, 9), "-3", "setoption name A value -3"),
        (ForeignOption("A", "combo", choices=("Wild",)), "wild", "setoption name A value Wild"),
        (ForeignOption("A", "string"), "/a b", "setoption name A value /a b"),
        (ForeignOption("A", "button"), "", "setoption name A"),
        (ForeignOption("A", "check"), "maybe", None),
        (ForeignOption("A", "spin", 1, 9), 10, None),
        (ForeignOption("A", "spin", 1, 9), "many", None),
        (ForeignOption("A", "combo", choices=("Wild",)), "tame", None),
        (ForeignOption("A", "string"), "a\nquit", None),
    ],
)
def test_values(option, value, line):
    """In UCI's words, or refused."""
    if line is None:
        with pytest.raises(SetUpError, match="option A"):
            option.line(value)
    else:
        assert option.line(value) == line


def test_our_own_switches_take_noughts_and_ones():
    """`NullMove=0` is what other commands of ours have users write; a wrong number is refused before a game."""
    player = EngineSpec(options={"NullMove": "0", "Hash": 4}).start()
    player.close()
    with pytest.raises(SetUpError, match="Hash lies between"):
        EngineSpec(options={"Hash": 0}).start()
