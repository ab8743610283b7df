"""Numbers on command lines are told of in plain words."""

import pytest
from click.testing import CliRunner

from quiesce.cli import cli


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("suite bk --time abc", "'abc' is not a number"),
        ("suite bk --time nan", "nan is out of range: at least 0.001"),
        ("suite bk --nodes 0", "0 is out of range: at least 1"),
        ("analyse --hash 9999999", "9999999 is out of range: from 1 to 65536"),
        ("analyse --depth 2.5", "'2.5' is not a whole number"),
        ("data view x --count many", "'many' is not a whole number"),
    ],
)
def test_numbers_are_told_of_in_plain_words(words, told, tmp_path, monkeypatch):
    """Of no option does a user read of ranges of types or of x>=1; options of commands within commands too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").touch()
    found = CliRunner().invoke(cli, words.split())
    assert found.exit_code == 2
    assert told in found.output
    assert "valid" not in found.output.replace("Invalid value", "")
