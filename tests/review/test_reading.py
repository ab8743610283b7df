"""Reading PGN: what is understood, what is refused, and that nothing is read as another game."""

import pytest

from quiesce.review.reading import DamagedError, decoded, read_source, sources_in


def moves_of(text):
    """The moves of a text's game, in UCI."""
    return [move.uci() for move in read_source(text).mainline_moves()]


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6",
        "1. e4 e5 2. Sf3 Sc6",
        "1. e4 e5 2. ♘f3 ♞c6",
        "1.e4 e5 2.Cf3 Cc6",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6",
    ],
)
def test_languages_and_figurines_are_understood(text):
    """German, French and Spanish letters and figurines are the same game."""
    assert moves_of(text) == ["e2e4", "e7e5", "g1f3", "b8c6"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 e5 2. Xf3", "pieces are called X"),
        ("1. e4 e5 2. Ke5", "illegal"),
        ("1. e4 hello", "'hello' is not a move"),
        ("1. e4 e5 2. -- Nc6", "null move"),
        ("1. e4 e5 1-0 2. Nf3", "goes on after the result"),
        ('[Variant "Atomic"]\n\n1. e4', "atomic"),
    ],
)
def test_what_is_not_understood_is_refused(text, reason):
    """With the reason; nothing is passed over."""
    with pytest.raises(DamagedError, match=reason):
        read_source(text)


def test_all_that_stands_in_a_game_is_kept():
    """Variations, comments, clocks and marks."""
    game = read_source("1. e4 {[%clk 0:05:00] good; move} e5 (1... c5 $6 {Sicilian 1-0}) 2. Nf3! $14 *")
    assert "[%clk 0:05:00] good; move" in game.variations[0].comment
    assert game.variations[0].variations[1].comment == "Sicilian 1-0"


def test_what_is_wrong_in_a_variation_is_told():
    """A comment may hold brackets."""
    text = "1. e4 e5 (1... Qh9 {a ) here} (2. x) 2. y) 2. Nf3 *"
    with pytest.raises(DamagedError, match="Qh9"):
        read_source(text)


def test_games_of_a_text_are_told_apart():
    """By tags, also where a comment holds one or blank lines stand among the moves; without tags by results."""
    text = '[Event "a"]\n\n1. e4 {a\n[Event "x"]\n} e5\n\n2. Nf3 *\n\n[Event "b"]\n[Site "c"]\n\n1. d4 *\n'
    found = [read_source(source.text) for source in sources_in(text, "x")]
    assert [game.headers["Event"] for game in found] == ["a", "b"]
    assert [len(list(game.mainline_moves())) for game in found] == [3, 1]
    plain = [source.text.strip() for source in sources_in("1. e4 e5 1-0\n1. d4 {0-1 } d5 1/2-1/2 1. c4 *", "x")]
    assert plain == ["1. e4 e5 1-0", "1. d4 {0-1 } d5 1/2-1/2", "1. c4 *"]
    assert [source.number for source in sources_in("1. e4 *\n1. d4 *", "x")] == [1, 2]


def test_old_files_are_read():
    """Latin-1 where it is no UTF-8, and a mark of byte order is no letter."""
    assert decoded("Müller".encode("latin-1")) == decoded("Müller".encode()) == decoded("\ufeffMüller".encode())
