"""How oracles look at a board: from one side, its own pieces walking up, with what each piece attacks."""

from collections import Counter

import chess

OWN, OTHER = chess.WHITE, chess.BLACK
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = chess.PIECE_TYPES
MINORS, PIECES, NO_KING = (KNIGHT, BISHOP), (KNIGHT, BISHOP, ROOK, QUEEN), (PAWN, KNIGHT, BISHOP, ROOK, QUEEN)
NAMES = {kind: chess.piece_name(kind) for kind in chess.PIECE_TYPES}
SEEN_THROUGH = {BISHOP: (QUEEN,), ROOK: (ROOK, QUEEN)}
"""Pieces of the own side that do not stop a slider's sight."""
NEXT = 8
"""From a square to the one ahead of it."""
UPSIDE_DOWN = 56
"""What turns a square into the one the other side calls by its name."""
CENTRE = chess.SquareSet([chess.D4, chess.E4, chess.D5, chess.E5])
SPACE_ZONE = [chess.square(file, rank) for rank in (1, 2, 3) for file in (2, 3, 4, 5)]
CORNER_CAGES = {chess.A7: chess.B6, chess.B8: chess.B6, chess.H7: chess.G6, chess.G8: chess.G6}
DARK_CORNERS, LIGHT_CORNERS = (chess.A1, chess.H8), (chess.H1, chess.A8)
PHASES = {KNIGHT: 1, BISHOP: 1, ROOK: 2, QUEEN: 4}
UNITS = {KNIGHT: 3, BISHOP: 3, ROOK: 5, QUEEN: 9}
FULL_PHASE, FULL_SCALE = 24, 128


class View:
    """A board on which the side counted for is White, and what each piece on it attacks."""

    def __init__(self, board, side):
        self.is_mirrored = side == chess.BLACK
        self.board = board.mirror() if self.is_mirrored else board
        self.sights = {square: sight(self.board, square) for square in self.board.piece_map()}

    def pieces(self, colour, *kinds):
        """Squares of a side's pieces of some kinds."""
        found = chess.SquareSet()
        for kind in kinds:
            found |= self.board.pieces(kind, colour)
        return found

    def king(self, colour):
        """Where a side's king stands."""
        return self.board.king(colour)

    def attacks(self, colour, *kinds):
        """Squares that a side's pieces of some kinds attack, of all kinds if none is named."""
        found = chess.SquareSet()
        for square in self.pieces(colour, *(kinds or chess.PIECE_TYPES)):
            found |= self.sights[square]
        return found

    def twice(self, colour):
        """Squares that at least two pieces of a side attack."""
        times = Counter(target for square in self.all_pieces(colour) for target in self.sights[square])
        return chess.SquareSet(square for square, count in times.items() if count > 1)

    def all_pieces(self, colour):
        """Squares of all pieces of a side."""
        return chess.SquareSet(self.board.occupied_co[colour])

    def is_empty(self, square):
        """Whether nothing stands on a square."""
        return self.board.piece_type_at(square) is None


def sight(board, square):
    """The squares a piece attacks, through those of its side that its kind sees through."""
    piece = board.piece_at(square)
    clear = board.copy(stack=False)
    for kind in SEEN_THROUGH.get(piece.piece_type, ()):
        for other in board.pieces(kind, piece.color) - chess.SquareSet([square]):
            clear.remove_piece_at(other)
    return clear.attacks(square)


def place(square):
    """File and rank of a square, both from 0."""
    return chess.square_file(square), chess.square_rank(square)


def is_dark(square):
    """Whether a square has the colour of a1."""
    return sum(place(square)) % 2 == 0


def pawns_on(view, colour, files, ranks):
    """A side's pawns on some files and ranks."""
    found = [(place(pawn), pawn) for pawn in view.pieces(colour, PAWN)]
    return [pawn for (file, rank), pawn in found if file in files and rank in ranks]


def way(square):
    """All squares ahead on the file."""
    file, rank = place(square)
    return [chess.square(file, further) for further in range(rank + 1, 8)]


def kind_index(kind):
    """The label of a kind in terms that begin with the pawn."""
    return kind - PAWN


def piece_index(kind):
    """The label of a kind in terms that begin with the knight."""
    return kind - KNIGHT
