"""Shell. TOUR: the horizon effect in positions of real games. The trees shown are searched, not stored.

Games and blunders come from tests/data/horizon.epd; searches of depth 4 without quiescence play them.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from quiesce.search.params import all_off


@dataclass(frozen=True, slots=True)
class Stop:
    """A position, the moves that led to it, options of the search, and a text."""

    title: str
    text: str
    fen: str
    moves: tuple[str, ...] = ()
    options: dict[str, int] = field(default_factory=dict)


CAPTURES = "3rk2r/p1ppqpb1/bn2pnp1/3PN1B1/1p2P3/2N2Q1p/PPP1BPPP/R3K2R w KQk - 2 2"

TOUR = (
    Stop(
        "A queen takes a queen, and the search stops",
        "Kortchnoi - Sax, 1989. Four plies deep and without quiescence, a search plays Qxa4: it ends a queen ahead and "
        "is happy. Quiescence looks one capture further: Bxa4. Compare stand pat and score below the board.",
        "1k1r4/1bp5/1pn5/3p1p2/Q3qPp1/PB2N1P1/1P3P2/2KR4 b - - 0 32",
        ("e4a4",),
    ),
    Stop(
        "Tukmakov's knight",
        "Tukmakov - Psakhis, 1983. A search without quiescence plays Nd5: as it stands, the knight looks fine in the "
        "middle of the board. Follow the thick line to see what is left when the captures end: exd5, Bxf6, gxf6. The "
        "right move was b4.",
        "2rr2k1/1q3pp1/pp2pb1p/2n5/2P5/1PN3P1/PB2QP1P/3RR1K1 w - - 0 25",
        ("c3d5",),
    ),
    Stop(
        "In check nobody stands pat",
        "Van der Wiel - Torre, 1980. Black took the bishop on d3, and White has better than to take back. Select Nd6+: "
        "it has no stand pat, and what hangs on it are answers to the check. In check one may not rest on an "
        "evaluation.",
        "1rbqk2r/p4pb1/2p3pp/n3p3/1n2N3/BP1B2Q1/P1PPKPPP/RN5R b k - 0 14",
        ("b4d3",),
    ),
    Stop(
        "A chain of captures with checks in it",
        "Glek - Van der Wiel, 1994. White took on g7 and seems nearly a pawn ahead. Black answers with a rook, a queen "
        "and a bishop, twice with check: Rxd1+, Qxd1+, Bxg7. Rest on the nodes of the thick line to see the board "
        "after each move.",
        "3q1bk1/1p3bp1/pN1r3p/P7/5Q2/1n5P/1B2BPP1/3R2K1 w - - 0 34",
        ("b2g7",),
    ),
    Stop(
        "Why the tree stays small",
        "Savon - Romanishin, 1978, after Bxc6. Small squares are moves that were left out: the exchange loses, the "
        "prize is too small, or in check another answer is known to hold. Each technique has a switch; turn some off "
        "and watch the count.",
        "b4rk1/r1p2ppp/1pBq1n2/3p4/3P4/p3PNP1/1PQN1P1P/R1R3K1 b - - 0 17",
        ("a8c6",),
    ),
    Stop(
        "A position made of captures",
        "Known as Kiwipete, a move later, under the defaults. A blue β marks a node at which one move was good enough, "
        "so that its sisters were not even looked at: the side to choose needs only one. Unfold all to see how far "
        "captures go.",
        CAPTURES,
    ),
    Stop(
        "The same with everything off",
        "No exchange test, no margins, no table: the tree grows many times over, and says nearly the same. It is "
        "cut to what a page can show, and tells what is missing. Press Defaults to bring the techniques back.",
        CAPTURES,
        options={name: value for name, value in all_off().items() if name.startswith("QSearch")},
    ),
)


def tour_facts() -> list[dict[str, Any]]:
    """The whole tour, for browsers."""
    return [asdict(stop) for stop in TOUR]
