"""What a training is asked for: one table, two command lines that agree, and sense."""

from pathlib import Path

import pytest

from quiesce.cli.train import train
from quiesce.train.__main__ import parser
from quiesce.train.checkpoint import check_same
from quiesce.train.settings import OPTIONS, RENAMED, Settings, TrainError, settings_of

WORDS = ["a.data", "--out", "net.qnet"]


def values_of(words):
    """What `python -m quiesce.train` makes of a command line."""
    values = vars(parser().parse_args(words))
    values.pop("as_json")
    return values | {"data": tuple(values["data"])}


def test_both_command_lines_take_the_same(tmp_path):
    """`quiesce train` and `python -m quiesce.train` know the same options, with the same defaults."""
    (tmp_path / "a.data").touch()
    words = [str(tmp_path / "a.data"), *WORDS[1:]]
    others = [word for item in OPTIONS if item.name != "device" for word in (item.flag, "3")]
    for more in ([], [*others, "--device", "cpu", "--checkpoint", "c", "--resume"]):
        values = train.make_context("train", [*words, *more]).params
        assert values.pop("as_json") is False
        assert values == values_of([*words, *more])
    assert Settings(**values_of(words)) == Settings((tmp_path / "a.data",), Path("net.qnet"))


def test_a_command_says_all_that_decides():
    """The command in a network's header, read again, is the same training; it names files, not folders."""
    asked = settings_of(values_of([*WORDS, "--width", "64", "--rate", "0.002", "--held-out", "0.1"]))
    again = settings_of(values_of(asked.command().split()[2:]))
    assert again == asked
    assert "/" not in Settings((Path("/x/a.data"),), Path("/x/net.qnet")).command()


def test_the_checkpoint_is_beside_the_network():
    """Unless it is named."""
    assert settings_of(values_of(WORDS)).kept_at == Path("net.qnet.checkpoint")
    assert settings_of(values_of([*WORDS, "--checkpoint", "c"])).kept_at == Path("c")


@pytest.mark.parametrize(
    "words", ["--epochs 0", "--batch 0", "--rate 0", "--blend 1.5", "--win-scale 0", "--power 0", "--held-out 1"]
)
def test_nonsense_is_refused(words):
    """Settings that make no sense are told so before anything is read."""
    with pytest.raises(TrainError, match="training needs"):
        settings_of(values_of([*WORDS, *words.split()]))


@pytest.mark.parametrize(("old", "name"), RENAMED.items())
def test_options_of_before_are_understood(tmp_path, old, name):
    """An option by its name of 0.1.0 sets the one that replaced it: on the command line, and in a checkpoint."""
    flag, value = f"--{old.replace('_', '-')}", {"king_buckets": 4, "output_buckets": 1}.get(name, 0.25)
    values = vars(parser().parse_args(["some.samples", "--out", "net.qnet", flag, str(value)]))
    assert values[name] == value
    settings = Settings((), tmp_path / "net.qnet", **{name: value})
    kept = {old if key == name else key: item for key, item in settings.deciding().items()}
    check_same(tmp_path, {"settings": kept, "data": []}, settings, {})
    with pytest.raises(TrainError, match=name):
        check_same(tmp_path, {"settings": kept | {old: 9}, "data": []}, settings, {})
