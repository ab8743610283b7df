"""Shell. Which motifs a line shows, the one that says most first."""

from collections.abc import Callable

from quiesce.review.motifs.attacks import discovered, fork, hanging, pin, skewer, trapped
from quiesce.review.motifs.guards import mate, overloaded, perpetual, promotion, removed_defender
from quiesce.review.motifs.played import Motif, Played

Detector = Callable[[Played], Motif | None]

DETECTORS: tuple[Detector, ...] = (
    mate,
    hanging,
    fork,
    skewer,
    discovered,
    removed_defender,
    pin,
    trapped,
    overloaded,
    promotion,
)


def motifs_of(line: Played) -> list[Motif]:
    """All motifs of a line that wins, or of one that draws by perpetual check."""
    if not line.moves:
        return []
    if not line.wins:
        found = perpetual(line)
        return [] if found is None else [found]
    return [found for detector in DETECTORS if (found := detector(line)) is not None]
