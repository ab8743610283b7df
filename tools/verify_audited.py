"""Ask our engine and Stockfish about the positions of the design documents, and write docs/explanation/audited.md.

With --check nothing is written: it is an error if a verdict is no longer what the page says.
"""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine

import quiesce

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "audited.md"
STOCKFISH_DEPTH, OUR_DEPTH, HASH_MB = 22, 18, 64
EQUAL = 60
"""Centipawns that count as equal."""
HOLDS, FAILS, PARTED = "holds", "does not hold", "the engines disagree"


@dataclass(frozen=True)
class Answer:
    """What one engine says of a position."""

    san: str
    score: chess.engine.Score | None
    """For the side to move; None if the game is over."""

    def __str__(self):
        if self.score is None:
            return "drawn"
        mate = self.score.mate()
        return f"{self.san}, {f'mate in {mate}' if mate else f'{self.score.score() / 100:+.2f}'}"


Claim = Callable[[chess.Board, Answer], bool]


@dataclass(frozen=True)
class Row:
    """A position, a document's claim about it, the test of that claim, and the truth."""

    fen: str
    said: str
    claim: Claim
    truth: str


def plays(san: str) -> Claim:
    """Is this the best move?"""
    return lambda _board, answer: answer.san == san


def is_equal(_board: chess.Board, answer: Answer) -> bool:
    """Is the score about even?"""
    return answer.score is None or (not answer.score.is_mate() and abs(answer.score.score()) <= EQUAL)


def is_below(points: int) -> Claim:
    """Is the score lower than this many centipawns?"""
    return lambda _board, answer: answer.score is not None and answer.score.score(mate_score=100_000) < points


def has_captures(least: int) -> Claim:
    """Are there this many captures?"""
    return lambda board, _answer: sum(1 for _ in board.generate_legal_captures()) >= least


def has_mate_threat(board: chess.Board, _answer: Answer) -> bool:
    """Could the opponent mate at once if the side to move passed?"""
    board = board.copy(stack=False)
    board.push(chess.Move.null())
    return any(is_mate_after(board, move) for move in board.legal_moves)


def is_mate_after(board: chess.Board, move: chess.Move) -> bool:
    """Does a move mate?"""
    after = board.copy(stack=False)
    after.push(move)
    return after.is_checkmate()


def both(*claims: Claim) -> Claim:
    """Do all hold?"""
    return lambda board, answer: all(claim(board, answer) for claim in claims)


def is_position(board: chess.Board, _answer: Answer) -> bool:
    """Is it a legal position at all?"""
    return board.is_valid()


ROWS = (
    Row(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "Nxf7 is best",
        plays("Nxf7"),
        "Kiwipete; useful for termination and node counts",
    ),
    Row("8/2P5/3K4/8/8/8/2p5/3k4 w - - 0 1", "both promote, equal", both(plays("c8=Q"), is_equal), "c8=Q c1=Q"),
    Row("3r1k2/8/8/8/8/8/8/R3K3 w - - 0 1", "a perpetual threat: equal", is_equal, "equal; tests termination only"),
    Row(
        "r4rk1/1b2qppp/p1n1p3/1p6/3P4/P1N1P3/1PQ2PPP/R1B2RK1 b - - 0 1",
        "...Rxd4 begins a deep sequence, from Kasparov - Topalov",
        plays("Rxd4"),
        "the move is illegal, and the game is another",
    ),
    Row("3q4/8/3n1n2/2b1b3/2B1B3/3N1N2/8/3Q4 w - - 0 1", "a capture explosion", is_position, "a board without kings"),
    Row(
        "3q4/3nnn2/3bbb2/3rrr2/8/8/PPPPPPPP/3QK3 w - - 0 1",
        "a capture explosion",
        is_position,
        "Black has no king",
    ),
    Row(
        "r1b2rk1/pp3ppp/2n5/3p4/3P4/2N5/PP3PPq/R1BQ1RK1 w - - 0 1",
        "15 forced captures in a row",
        has_captures(2),
        "one legal move, Kxh2, wins a queen",
    ),
    Row(
        "6k1/pp4pp/8/8/8/8/PP4PP/6K1 b - - 0 1",
        "h6 averts a back-rank mate",
        both(plays("h6"), has_mate_threat),
        "no heavy pieces, so no mate; an equal pawn ending",
    ),
    Row("8/2P5/3K4/8/8/3k4/2p5/8 w - - 0 1", "c8=Q", plays("c8=Q"), "and equal"),
    Row(
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1",
        "...Nd4, a fork",
        plays("Nd4"),
        "Bird's defence of the Spanish, playable; ...Nf6 is better",
    ),
    Row(
        "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
        "the Italian, the densest captures",
        has_captures(5),
        "the Berlin, with two captures",
    ),
    Row(
        "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
        "many captures",
        has_captures(5),
        "the Italian, quiet, with two captures",
    ),
    Row(
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "quiescence equals the static evaluation",
        lambda _board, answer: answer.score is not None,
        "insufficient material: exactly 0, without evaluation",
    ),
    Row(
        "r3k2r/8/8/8/b7/8/8/R3K2R w KQkq - 0 1",
        "below -400",
        is_below(-400),
        "White wins by Rxh8+; the claim has the wrong sign",
    ),
    Row(
        "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "in check one may not stand pat: Kxe2", plays("Kxe2"), "and then it is drawn"
    ),
)


def answer_of(board, engine, depth):
    """An engine's answer for a legal position."""
    if not board.is_valid() or board.is_insufficient_material():
        return Answer("", None)
    info = engine.analyse(board, chess.engine.Limit(depth=depth), game=object())
    return Answer(board.san(info["pv"][0]), info["score"].relative)


def verdict_of(row, board, answers):
    """Does the claim hold for all engines asked?"""
    found = {row.claim(board, answer) for answer in answers}
    return PARTED if len(found) > 1 else HOLDS if True in found else FAILS


def refusal_of(fen):
    """Why our engine refuses a position; empty if it does not."""
    try:
        quiesce.perft(fen, 1)
    except ValueError as error:
        return str(error)
    return ""


def line_of(row, answers):
    """One line of the table, with its verdict."""
    board, refused = chess.Board(row.fen), refusal_of(row.fen)
    told = ("not asked", f"refused: {refused}") if refused else tuple(map(str, answers))
    cells = (
        f"`{row.fen.removesuffix(' 0 1')}`",
        row.said,
        *told,
        f"**{verdict_of(row, board, answers)}**: {row.truth}",
    )
    return f"| {' | '.join(cells)} |"


def page():
    """The whole page."""
    with chess.engine.SimpleEngine.popen_uci(stockfish()) as theirs, quiesce.Engine({"Hash": HASH_MB}) as ours:
        theirs.configure({"Hash": HASH_MB, "Threads": 1})
        answers = [
            tuple(answer_of(chess.Board(row.fen), *asked) for asked in ((theirs, STOCKFISH_DEPTH), (ours, OUR_DEPTH)))
            for row in ROWS
        ]
        their_name, ours_name = theirs.id["name"], ours.id["name"]
    lines = [line_of(row, pair) for row, pair in zip(ROWS, answers, strict=True)]
    parts = (INTRODUCTION, conditions(their_name, ours_name), agreement(answers))
    paragraphs = [line for part in parts for line in (*part, "")]
    return "\n".join([*paragraphs, *heading(their_name, ours_name), *lines, ""])


INTRODUCTION = (
    "# Audited test positions",
    "",
    "<!-- made by tools/verify_audited.py: change its table and run it again -->",
    "",
    "The project began with five documents on quiescence. `tools/verify_audited.py` asks Stockfish and our engine",
    "whether their positions show what they claim, and writes this page. The last column is the verdict.",
)


def conditions(their_name, ours_name):
    """How it was asked."""
    return [
        f"{their_name} searched to depth {STOCKFISH_DEPTH}, {ours_name} to depth {OUR_DEPTH}: one thread,",
        f"{HASH_MB} MB, each position from scratch. Scores are pawns from the mover's side; up to",
        f"{EQUAL / 100:.2f} counts as equal. python-chess counts captures and decides whether a position is legal.",
    ]


def agreement(answers):
    """How often the two say the same, whatever the documents say."""
    asked = [pair for pair in answers if pair[0].score is not None]
    same = sum(one.san == other.san for one, other in asked)
    numbers = [(one.score.score(), other.score.score()) for one, other in asked]
    apart = max(abs(one - other) for one, other in numbers if None not in (one, other)) / 100
    return [
        f"The engines play the same move in {same} of the {len(asked)} positions both searched.",
        f"Their scores, except mates, differ by at most {apart:.2f}.",
    ]


def heading(their_name, ours_name):
    """The table's own."""
    return [f"| position | said to show | {their_name} | {ours_name} | verdict |", "|---|---|---|---|---|"]


def stockfish():
    """The program, where Debian puts it or on the path."""
    found = shutil.which("stockfish", path=None) or shutil.which("stockfish", path="/usr/games")
    if found is None:
        sys.exit("stockfish is not installed; on Debian: apt-get install stockfish")
    return found


def verdicts(text):
    """Position and verdict of each row of a page."""
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [(row[0], row[-1].split("**")[1]) for row in rows]


def main():
    """Write the page, or compare its verdicts."""
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif verdicts(text) != verdicts(PAGE.read_text(encoding="utf-8")):
        sys.exit("verdicts have changed: run tools/verify_audited.py")


if __name__ == "__main__":
    main()
