"""Shell. Reviews for Python programs: one game, or all games of a file."""

from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, TextIO

import chess.pgn

from quiesce.engine import Engine
from quiesce.review.plan import MEGABYTES, ReviewPlan
from quiesce.review.reading import DamagedError, Source, decoded, read_source, sources_in
from quiesce.review.review import Review
from quiesce.review.reviewing import OnProgress, review_game
from quiesce.review.writing import annotated


def review(game: chess.pgn.Game | str, *, progress: OnProgress | None = None, **plan: Any) -> Review:
    """Review a game, from python-chess or as PGN text: what each move lost, how certain that is, and why.

    Keywords: `nodes` or `seconds` per move on average; `inaccuracy`, `mistake` and `blunder` in expected points lost;
    `colours`, such as `("white",)`; `from_move`. The same game and nodes give the same review. Raises ValueError for an
    unplayable game.

    >>> import quiesce
    >>> found = quiesce.review("1. f3 e5 2. g4 Qh4# 0-1", nodes=2000)
    >>> [(verdict.san, verdict.mark) for verdict in found.marked]
    [('g4', '??')]
    """
    wanted = ReviewPlan(**plan)
    if isinstance(game, str):
        game = read_source(game)
    with Engine(MEGABYTES) as engine:
        return review_game(engine, game, wanted, progress)


def annotate(
    path: Path | str | TextIO, *, bad: MutableMapping[str, str] | None = None, **plan: Any
) -> Iterator[chess.pgn.Game]:
    """Review the games of a PGN file and yield each with marks, evaluations, better lines and comments.

    Keywords are those of `review`. Existing comments and variations stay. Damaged games are skipped and collected in
    `bad`; without `bad` they raise ValueError. For many games on all cores use `quiesce annotate`.
    """
    wanted = ReviewPlan(**plan)
    with Engine(MEGABYTES) as engine:
        for source in sources_of(path):
            try:
                game = read_source(source.text)
                found = review_game(engine, game, wanted)
            except ValueError as error:
                if bad is None:
                    raise DamagedError(f"{source.title}: {error}") from None
                bad[source.title] = str(error)
                continue
            yield annotated(game, found)


def sources_of(path: Path | str | TextIO) -> Iterator[Source]:
    """The games of a path or an open file."""
    if isinstance(path, Path | str):
        return sources_in(decoded(Path(path).read_bytes()), str(path))
    return sources_in(path.read(), getattr(path, "name", "the file"))
