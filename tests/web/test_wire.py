"""Messages of browsers: read strictly, with the errors UCI has."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.board.fen import FenError
from quiesce.board.game import Game, MoveError
from quiesce.search.params import OptionError
from quiesce.web.wire import GREATEST_NUMBER, MOST_MOVES, WireError, game_of, options_of, read_request

from .conftest import KIWIPETE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"number":' + "1" * 10_000 + "}", "no JSON"),
        ("[]", "no JSON object"),
        ('{"number": 1}', "do is not a text"),
        ('{"do": "stop"}', "number is not a whole number"),
        ('{"do": "stop", "number": true}', "number is not a whole number"),
        ('{"do": "stop", "number": -1}', "number is outside"),
        (json.dumps({"do": "stop", "number": GREATEST_NUMBER + 1}), f"number is outside 0 to {GREATEST_NUMBER}"),
        ('{"do": "stop", "number": 1.5}', "number is not a whole number"),
        (json.dumps({"do": "x" * 21, "number": 1}), "do is longer than 20 letters"),
    ],
)
def test_what_is_no_request_is_refused(text, reason):
    """One sentence for each kind of nonsense."""
    with pytest.raises(WireError, match=reason):
        read_request(text)


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_no_text_is_a_surprise(text):
    """Whatever is sent, it is a request or a WireError."""
    with suppress(WireError):
        assert read_request(text).do


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["fen", "moves", "chess960", "say", "options"]), json_values))
def test_no_body_is_a_surprise(body):
    """Whatever the fields hold, a game and options come of it, or an error with words."""
    for read in (game_of, options_of):
        with suppress(WireError, FenError, MoveError, OptionError):
            read(body)


def test_a_game_is_told_by_fen_and_moves():
    """Start, moves, and one more as it is typed, in either notation."""
    game = game_of({"fen": KIWIPETE, "moves": ["e1g1", "h3g2"], "say": "Rfe1"})
    assert game.fen() == "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R3R1K1 b kq - 1 2"
    assert game_of({"moves": ["e2e4"], "say": "e7e5"}).fen() == game_of({"moves": ["e2e4"], "say": "e5"}).fen()


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/8 w - - 0 1", "rubbish", KIWIPETE.replace("KQkq", "KQkx")])
def test_a_bad_fen_is_told_in_the_words_of_uci(fen):
    """The same FenError, word for word."""
    with pytest.raises(FenError) as told:
        game_of({"fen": fen})
    with pytest.raises(FenError) as uci:
        Game(fen)
    assert str(told.value) == str(uci.value)


def test_sizes_have_limits():
    """Long games, texts and moves are refused."""
    with pytest.raises(WireError, match=f"more than {MOST_MOVES}"):
        game_of({"moves": ["e2e4"] * (MOST_MOVES + 1)})
    with pytest.raises(WireError, match="fen is longer"):
        game_of({"fen": "8" * 201})
    with pytest.raises(WireError, match="say is longer"):
        game_of({"say": "e" * 13})


def test_illegal_moves_are_explained():
    """As UCI explains them; what is typed, as algebraic notation."""
    with pytest.raises(MoveError, match="there is no piece on e4"):
        game_of({"moves": ["e4e5"]})
    with pytest.raises(MoveError, match="is not a move in algebraic notation"):
        game_of({"say": "rubbish"})


def test_options_are_those_of_the_search():
    """Known names and values within bounds."""
    assert options_of({"options": {"QSearchSEE": 0}}) == {"QSearchSEE": 0}
    with pytest.raises(OptionError, match="there is no search option 'Nonsense'"):
        options_of({"options": {"Nonsense": 1}})
    with pytest.raises(OptionError, match="outside 0 to 1"):
        options_of({"options": {"QSearchSEE": 2}})
