"""The tree of variations: made, marked, moved about, read and written whole."""

import io
import re

import chess.pgn
import pytest

from tests.web.conftest import START

from .pages import CLIPBOARD, expect, load, moves, square

CURRENT = "#panel-analyse .move[aria-current]"
STUDY = """[Event "Study"]
[White "A"]
[Black "B \\"the\\" C"]
[Result "1-0"]

{Before all.} 1. e4 $1 {[%clk 0:10:00] The best.} (1. d4 d5 (1... Nf6 {Indian} 2. c4) 2. c4 $5) 1... e5
{[%cal Ge5e4][%csl Rd4]} 2. Nf3 Nc6 $6 $14 ({or} 2... Nf6 3. Nxe5 (3. d4)) 3. Bb5 {[%eval 0.3] Spanish} 1-0
"""


def say(page, *moves_said):
    """Type moves on the board of analysis."""
    for said in moves_said:
        page.get_by_label("Type a move").locator("visible=true").fill(said)
        page.keyboard.press("Enter")
        expect(page.locator(CURRENT)).to_have_text(re.compile(f"^{said}"))
    page.keyboard.press("Escape")


def copied(page):
    """The PGN that is copied."""
    page.get_by_role("button", name="Copy PGN").last.click()
    expect(page.locator(".toast")).to_have_text("PGN copied")
    return page.evaluate("navigator.clipboard.readText()")


def shape(node):
    """A game of python-chess as plain values: moves with all that is said of them."""
    marks = sorted(node.nags), " ".join(node.comment.split()), " ".join(node.starting_comment.split())
    san = node.san() if node.parent else ""
    return san, marks, [shape(child) for child in node.variations]


def parsed(text):
    """The first game of a text, as python-chess has it."""
    return chess.pgn.read_game(io.StringIO(text))


def test_a_study_is_read_and_written_whole(visit):
    """Variations within variations, comments before and after moves, marks, arrows, clocks, evaluations, names."""
    page = visit("#analyse", permissions=CLIPBOARD)
    load(page, STUDY)
    once = parsed(copied(page))
    given = parsed(STUDY)
    assert dict(once.headers) == dict(given.headers) | {"Date": "????.??.??", "Round": "?", "Site": "?"}

    def untimed(node):
        san, (nags, comment, before), _ = shape(node)
        return san, nags, re.sub(r"\[%[^\]]*\]\s*", "", comment).strip(), before

    assert [untimed(node) for node in nodes(once)] == [untimed(node) for node in nodes(given)]
    first = once.variations[0]
    assert first.clock() == 600
    assert {(arrow.tail, arrow.head, arrow.color) for arrow in first.variations[0].arrows()} == {
        (chess.E5, chess.E4, "green"), (chess.D4, chess.D4, "red")}  # fmt: skip
    assert once.end().eval().white().score() == 30
    load(page, copied(page))
    assert copied(page) == str(page.evaluate("navigator.clipboard.readText()"))


def nodes(game):
    """All nodes of a game."""
    waiting = [game]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.variations)


def test_variations_are_made_promoted_deleted_and_brought_back(visit):
    """By keys and by buttons; the list follows, and the place in it."""
    page = visit("#analyse", permissions=CLIPBOARD)
    say(page, "e4", "e5", "Nf3")
    page.locator("body").press("Home")
    say(page, "d4", "d5")
    expect(moves(page, "analyse")).to_have_text(["e4", "d4", "d5", "e5", "Nf3"])
    page.locator("body").press("p")
    expect(moves(page, "analyse")).to_have_text(["d4", "e4", "e5", "Nf3", "d5"])
    expect(page.locator(CURRENT)).to_have_text("d5")
    page.locator("body").press("Delete")
    expect(moves(page, "analyse")).to_have_text(["d4", "e4", "e5", "Nf3"])
    page.locator("body").press("z")
    expect(moves(page, "analyse")).to_have_text(["d4", "e4", "e5", "Nf3", "d5"])
    moves(page, "analyse").get_by_text("Nf3").click()
    page.get_by_role("button", name="Make main line").click()
    expect(moves(page, "analyse")).to_have_text(["e4", "d4", "d5", "e5", "Nf3"])
    page.get_by_role("button", name="Delete from here").click()
    expect(moves(page, "analyse")).to_have_text(["e4", "d4", "d5", "e5"])
    page.locator("body").press("Home")
    page.locator("body").press("ArrowRight")
    page.locator("body").press("ArrowDown")
    expect(page.locator(CURRENT)).to_have_text("d4")
    page.locator("body").press("ArrowUp")
    expect(page.locator(CURRENT)).to_have_text("e4")


def test_a_move_is_marked_commented_and_drawn_upon(visit):
    """All of it is in the PGN; braces, which would end a comment, are not."""
    page = visit("#analyse", permissions=CLIPBOARD)
    say(page, "e4")
    page.locator("body").press("c")
    page.keyboard.type("a {fine} move")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="!? interesting").click()
    page.get_by_label("The position is").select_option("16")
    page.mouse.move(*square(page, "e4", "analyse"))
    page.mouse.down(button="right")
    page.mouse.move(*square(page, "d5", "analyse"), steps=3)
    page.wait_for_timeout(100)  # the arrow follows the mouse a frame later
    page.mouse.up(button="right")
    page.get_by_role("button", name="Draw").click()
    page.mouse.click(*square(page, "c3", "analyse"))
    page.mouse.click(*square(page, "c3", "analyse"))
    page.get_by_role("button", name="Draw").click()
    page.mouse.click(*square(page, "e6", "analyse"))  # which takes nothing away
    expect(page.locator(CURRENT)).to_have_text("e4!?\N{PLUS-MINUS SIGN}")
    move = parsed(copied(page)).variations[0]
    assert move.nags == {5, 16}
    assert {(arrow.tail, arrow.head) for arrow in move.arrows()} == {(chess.E4, chess.D5), (chess.C3, chess.C3)}
    assert move.comment.startswith("a fine move")
    page.locator("body").press("ArrowLeft")
    expect(page.get_by_label("Comment on this move")).to_have_value("")
    expect(page.locator("#panel-analyse .cg-shapes line")).to_have_count(0)


@pytest.mark.parametrize(
    ("text", "sans", "word"),
    [
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5", ["e4", "e5", "Nf3", "Nc6", "Bb5"], "read with the letters of German"),
        ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8D+ Kh7', ["a8=Q+", "Kh7"], "read with the letters of German"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5", ["e4", "e5", "Nf3", "Nc6", "Bb5"], "read with the letters of French"),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5", ["e4", "e5", "Nf3", "Nc6", "Bb5"], "read with the letters of Dutch"),
        ("1. e4 e5 2. \u2658f3 \u265ec6 3. \u2657b5", ["e4", "e5", "Nf3", "Nc6", "Bb5"], ""),
        ("1.e4 e5 2.0-0 *", None, "2. O-O is illegal there"),
        ("1. e4 e5 2. Xf3 *", None, "nothing here knows the pieces X"),
        ("1. e4 {never ended", None, "a comment has no end"),
        ("1. e4 e5 2. -- d5", None, "null move"),
        ("1. e4 e5 nonsense 2. Nf3", None, "nonsense"),
        ("1. e4 e5 (1... Ke4) 2. Nf3", ["e4", "e5", "Nf3"], "1 variation with an illegal move was cut short"),
        ('[Variant "Atomic"]\n\n1. e4', None, "it is Atomic"),
        ("1. e4 {" + "x" * 200_000 + "} e5 2. Nf3", ["e4", "e5", "Nf3"], ""),
        ("", None, "there is no game in this text"),
    ],
)  # fmt: skip
def test_nothing_is_read_wrongly_in_silence(visit, text, sans, word):
    """Other languages and figurines are read as what they are; what cannot be is told with its place."""
    page = visit("#analyse")
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("FEN or PGN").fill(text)
    dialog.get_by_role("button", name="Load").click()
    if sans is None:
        expect(dialog.get_by_role("alert")).to_contain_text(word)
        return
    expect(moves(page, "analyse")).to_have_text(sans)
    if word:
        expect(page.locator(".toast")).to_have_text(word)


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        (f"{KIWIPETE} w KQkq - 0 1", f"{KIWIPETE} w KQkq - 0 1"),
        (KIWIPETE, f"{KIWIPETE} w KQkq - 0 1"),
        (f'FEN: "{KIWIPETE} b KQ - 3 7"', f"{KIWIPETE} b KQ - 3 7"),
        (f'{KIWIPETE} w - - bm Ng5; id "x";', f"{KIWIPETE} w - - 0 1"),
        (f"https://lichess.org/analysis/{KIWIPETE}_w_KQkq_-_0_1", f"{KIWIPETE} w KQkq - 0 1"),
        (START.split(" ", maxsplit=1)[0], START),
        ("9/8/8/8/8/8/8/8 w - - 0 1", None),
        ("8/8/8/8/8/8/8/8 w - - 0 1", None),
    ],
)  # fmt: skip
def test_fen_is_taken_as_people_have_it(visit, text, fen):
    """The board alone, in quotes, after a word, as EPD, in an address; what is none is called a FEN that is wrong."""
    page = visit("#analyse", permissions=CLIPBOARD)
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("FEN or PGN").fill(text)
    dialog.get_by_role("button", name="Load").click()
    if fen is None:
        expect(dialog.get_by_role("alert")).to_contain_text("FEN: ")
        return
    page.get_by_role("button", name="Copy FEN").click()
    expect(page.locator(".toast")).to_have_text("FEN copied")
    assert page.evaluate("navigator.clipboard.readText()") == fen


def test_a_long_text_is_read_whole(visit):
    """A pasted game with a comment of 60,000 letters keeps the comment and every move after it."""
    page = visit("#analyse")
    load(page, f"1. e4 {{{'a' * 60_000}}} e5 2. Nf3 *")
    expect(moves(page, "analyse")).to_have_text(["e4", "e5", "Nf3"])
    page.keyboard.press("ArrowRight")
    assert len(page.get_by_label("Comment on this move").input_value()) == 60_000
