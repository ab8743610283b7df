"""Lines become commands."""

import pytest

from quiesce.uci.parse import clean, parse_command, parse_go, parse_option, parse_position


def test_clean():
    """Bytes become text without control characters; bad UTF-8 is marked."""
    assert clean(b"  go\tdepth\x00 3\r\n") == "go depth  3"
    assert clean(b"\xff") == "\ufffd"


def test_command_is_found_behind_unknown_words():
    """As the protocol asks; `debug` before anything but on and off is such a word too."""

    def found(text):
        command = parse_command(text)
        return command and (command.word, command.arguments)

    assert found("joho debug on") == ("debug", ["on"])
    assert found("joho debug go depth 3") == ("go", ["depth", "3"])
    assert found("debug") == ("debug", [])
    assert found("what is this") is None
    assert found("") is None


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("name Hash value 32", "Hash", "32"),
        ("name Clear Hash", "Clear Hash", ""),
        ("name Book File value C:\\my books\\a b.bin", "Book File", "C:\\my books\\a b.bin"),
        ("Hash 32", "", ""),
        ("", "", ""),
    ],
)
def test_option_names_and_values_have_spaces(text, name, value):
    """Name up to `value`, value up to the end."""
    assert parse_option(text.split()) == (name, value)


def test_position():
    """FEN or the start, and moves."""
    assert parse_position(["startpos"]) == (None, [])
    assert parse_position(["startpos", "moves", "e2e4", "e7e5"]) == (None, ["e2e4", "e7e5"])
    assert parse_position(["fen", "a", "b", "c", "moves", "d"]) == ("a b c", ["d"])
    with pytest.raises(ValueError, match="startpos or fen"):
        parse_position(["moves", "e2e4"])


def test_go():
    """Numbers, flags and moves in any order; what makes no sense is a problem, not the end."""
    go = parse_go(
        ["ponder", "searchmoves", "e2e4", "d2d4", "wtime", "100", "btime", "-5", "depth", "x", "infinite", "nodes"]
    )
    assert go.moves == ["e2e4", "d2d4"]
    assert go.numbers == {"wtime": 100, "btime": -5}
    assert go.is_ponder
    assert go.is_infinite
    assert len(go.problems) == 2
    assert parse_go(["wtime", "winc", "5"]).numbers == {"winc": 5}
    assert parse_go(["depth", "9" * 40]).numbers == {}
