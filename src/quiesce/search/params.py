"""Shell. TECHNIQUES: everything the search may do, each with its switch, its reason and its numbers, once.

From this table come the record kernels read (settings.py), the options users set, the list of ablations,
the tuner's bounds and the reference page. Nothing heavy is imported: a GUI asks for the options first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spin:
    """A number that shapes a technique."""

    name: str
    default: int
    low: int
    high: int
    why: str


@dataclass(frozen=True, slots=True)
class Technique:
    """Something the search may do: one switch, and the numbers that shape it."""

    name: str
    why: str
    numbers: tuple[Spin, ...] = ()
    default: bool = True
    plain: bool = False
    """What the switch is in a search without any technique; on where off would take something away from the rules."""


TECHNIQUES = (
    Technique("TableCut", "answer from the table what was searched at least as deep before"),
    Technique("TableEval", "take a table score as a better static evaluation where its bound allows"),
    Technique(
        "EvalClock",
        "the network's evaluation fades as the fifty-move rule comes nearer",
        (Spin("EvalClockPlies", 200, 110, 1_000, "plies at which nothing would be left of it"),),
        default=False,
    ),
    Technique(
        "EvalMaterial",
        "the network's evaluation fades as pieces leave the board",
        (Spin("EvalMaterialBase", 150, 20, 1_000, "what stands without any piece, where all pieces are 62 more"),),
        default=False,
    ),
    Technique(
        "TablePv",
        "what was once on a principal variation is reduced less, and never left for its evaluation alone",
        (Spin("TablePvPlies", 1, 0, 3, "plies by which it is reduced less"),),
        default=False,
    ),
    Technique("TableCutHistory", "a quiet table move that cuts without a search is rewarded too", default=False),
    Technique("MateDistance", "never look for a mate longer than one already found"),
    Technique("UpcomingRepetition", "a move back to an earlier position is worth at least a draw"),
    Technique(
        "Aspiration",
        "search the root with a narrow window around the last score, and widen it when the score falls outside",
        (
            Spin("AspirationDepth", 4, 2, 10, "first depth with a narrow window"),
            Spin("AspirationDelta", 14, 4, 60, "centipawns from the last score to each bound at first"),
            Spin("AspirationGrowth", 50, 10, 200, "percent by which the window grows after each failure"),
        ),
    ),
    Technique(
        "InternalReduction",
        "without a table move the node is searched a ply less: a move will be known next time",
        (Spin("InternalReductionDepth", 4, 2, 10, "least depth"),),
    ),
    Technique(
        "ReverseFutility",
        "stop where the evaluation beats beta by more than the remaining depth is likely to cost",
        (
            Spin("ReverseFutilityDepth", 8, 2, 14, "greatest depth"),
            Spin("ReverseFutilityMargin", 89, 20, 200, "centipawns a ply"),
            Spin("ReverseFutilityImproving", 60, 0, 150, "centipawns less when the position improves"),
            Spin("ReverseFutilityWorsening", 20, 0, 100, "centipawns less when the other side made its own worse"),
        ),
    ),
    Technique(
        "Razoring",
        "where the evaluation is far below alpha, let quiescence confirm that nothing saves it",
        (
            Spin("RazoringDepth", 3, 1, 6, "greatest depth"),
            Spin("RazoringBase", 150, 0, 500, "centipawns below alpha at depth 0"),
            Spin("RazoringMargin", 180, 50, 500, "centipawns more a ply"),
        ),
        default=False,
    ),
    Technique(
        "NullMove",
        "if passing still beats beta, a move will; not with pawns alone, where passing may be best",
        (
            Spin("NullMoveDepth", 3, 1, 6, "least depth"),
            Spin("NullMoveBase", 4, 1, 6, "plies the search is reduced by at least"),
            Spin("NullMoveDivisor", 4, 2, 8, "one ply more for each such number of plies of depth"),
            Spin("NullMoveEvalStep", 163, 50, 500, "one ply more for each such surplus over beta"),
            Spin("NullMoveEvalMost", 3, 0, 6, "plies the surplus may add"),
            Spin("NullMoveVerify", 14, 8, 30, "depth from which a success is verified without null moves"),
        ),
    ),
    Technique(
        "ProbCut",
        "a capture that beats a raised beta at reduced depth will beat beta at full depth",
        (
            Spin("ProbCutDepth", 5, 3, 10, "least depth"),
            Spin("ProbCutMargin", 225, 50, 500, "centipawns beta is raised by"),
            Spin("ProbCutReduction", 4, 2, 6, "plies the search is reduced by"),
        ),
    ),
    Technique(
        "Futility",
        "skip quiet moves where the evaluation is too far below alpha for the depth left",
        (
            Spin("FutilityDepth", 8, 2, 14, "greatest reduced depth"),
            Spin("FutilityBase", 122, 20, 300, "centipawns allowed at depth 0"),
            Spin("FutilityMargin", 76, 20, 200, "centipawns more a ply"),
        ),
    ),
    Technique(
        "LateMovePruning",
        "after many quiet moves have failed the rest will too",
        (
            Spin("LateMoveDepth", 8, 2, 14, "greatest depth"),
            Spin("LateMoveBase", 3, 1, 10, "moves tried at depth 0; the square of the depth is added"),
        ),
    ),
    Technique(
        "HistoryPruning",
        "skip quiet moves that have failed again and again elsewhere",
        (
            Spin("HistoryPruningDepth", 4, 1, 8, "greatest reduced depth"),
            Spin("HistoryPruningMargin", 3_500, 500, 10_000, "history below zero, a ply"),
        ),
    ),
    Technique(
        "SeePruning",
        "skip moves that lose more material in the exchange than the depth left can bring back",
        (
            Spin("SeePruningDepth", 9, 2, 14, "greatest depth"),
            Spin("SeePruningQuiet", 50, 5, 100, "centipawns a quiet move may lose, times the square of reduced depth"),
            Spin("SeePruningNoisy", 95, 20, 250, "centipawns a noisy move may lose, a ply"),
        ),
    ),
    Technique(
        "LateMoveReductions",
        "search late moves less deeply first, and again in full only if they surprise",
        (
            Spin("ReductionDepth", 3, 2, 6, "least depth"),
            Spin("ReductionBase", 80, 0, 200, "hundredths of a ply"),
            Spin("ReductionDivisor", 235, 100, 500, "log(depth) * log(move) is divided by hundredths of this"),
            Spin("ReductionHistory", 8_000, 2_000, 20_000, "history that is worth a ply"),
            Spin("ReductionCut", 1, 0, 3, "plies more where a cutoff is expected"),
            Spin("ReductionCheck", 1, 0, 3, "plies less for moves that give check"),
            Spin("ReductionChildCuts", 2, 0, 8, "cutoffs below from which it is a ply more"),
        ),
    ),
    Technique("TableNoisy", "where the table move is noisy, quiet moves are reduced by a ply more", default=False),
    Technique(
        "SecondLook",
        "a reduced move that surprises is searched again deeper if it is far the best, less deep if hardly better",
        (
            Spin("SecondLookDeeper", 50, 10, 200, "centipawns above the best so far from which it is a ply deeper"),
            Spin("SecondLookShallower", 9, 0, 50, "centipawns up to which it is a ply less"),
        ),
        default=False,
    ),
    Technique("ReductionFractions", "count reductions in parts of a ply, rounded only at the end", default=False),
    Technique(
        "Singular",
        "extend the table move where all others fail well below its score",
        (
            Spin("SingularDepth", 7, 4, 12, "least depth"),
            Spin("SingularMargin", 1, 1, 8, "centipawns below the table score, a ply"),
            Spin("SingularTableDepth", 3, 1, 6, "plies the table entry may be shallower"),
        ),
    ),
    Technique(
        "DoubleExtension",
        "extend twice where the table move stands alone by far",
        (
            Spin("DoubleExtensionMargin", 20, 0, 80, "centipawns further below"),
            Spin("DoubleExtensionMost", 6, 0, 20, "double extensions in one line"),
        ),
    ),
    Technique(
        "CheckExtension",
        "look a ply deeper after checks that lose no material, in lines not yet much extended",
        (Spin("CheckExtensionReach", 200, 100, 300, "percent of the iteration's depth up to which a line may grow"),),
    ),
    Technique("MultiCut", "stop where even without the table move the score beats beta"),
    Technique("NegativeExtension", "reduce a table move that is good but has equals"),
    Technique("Killers", "try quiet moves that refuted a sister node"),
    Technique("CounterMove", "try the quiet move that refuted the last move elsewhere"),
    Technique("QuietHistory", "order quiet moves by how often they cut, by from and to"),
    Technique(
        "ThreatOrder",
        "order quiet moves by whether their man leaves or enters the reach of a lesser one",
        (Spin("ThreatOrderWeight", 12, 1, 40, "history a centipawn of the man's value"),),
    ),
    Technique(
        "CheckOrder",
        "order quiet moves that give check and lose nothing before most others",
        (Spin("CheckOrderBonus", 8_000, 1_000, 32_000, "history they are given"),),
    ),
    Technique("ContinuationHistory", "order quiet moves by how they did after the moves before"),
    Technique("PawnHistory", "order quiet moves by how they did with the same pawns", default=False),
    Technique(
        "PriorHistory",
        "reward the quiet move to which no answer was found",
        (Spin("PriorHistoryShare", 60, 10, 200, "percent of what a cutoff earns"),),
        default=False,
    ),
    Technique("CaptureHistory", "order captures by how often they cut, by piece, square and victim"),
    Technique(
        "CorrectionHistory",
        "correct the evaluation by how it erred with the same pawns, pieces or last moves",
        (
            Spin("CorrectionPawn", 32, 0, 64, "weight of the pawns' correction, of 64"),
            Spin("CorrectionNonPawn", 24, 0, 64, "weight of each side's pieces' correction, of 64"),
            Spin("CorrectionContinuation", 24, 0, 64, "weight of the last two moves' correction, of 64"),
        ),
    ),
    Technique(
        "TableClock",
        "believe no table score that the fifty-move rule may have overtaken",
        (Spin("TableClockPlies", 90, 20, 100, "plies without progress from which no table score cuts"),),
    ),
    Technique(
        "UseQuiescence", "resolve leaves by quiescence search; off, they are evaluated as they stand", plain=True
    ),
    Technique(
        "QSearchLimits",
        "end noisy lines that grow beyond all sense, but never in check",
        (
            Spin("QSearchMaxPly", 32, 16, 64, "plies below the root of quiescence"),
            Spin("QSearchMaxNodes", 200_000, 1_000, 10_000_000, "nodes of one call"),
        ),
    ),
    Technique("QSearchTT", "use and fill the table in quiescence, as depth 0"),
    Technique("QSearchRefine", "take a table score as a better stand pat where its bound allows"),
    Technique("QSearchStoreEval", "keep the static evaluation of positions the table does not know", default=False),
    Technique("QSearchExactBounds", "store scores inside the window as exact"),
    Technique(
        "QSearchStandPatBlend",
        "draw a stand pat that cuts towards beta: it is a guess",
        (Spin("QSearchStandPatShare", 50, 0, 100, "percent of the way"),),
        default=False,
    ),
    Technique(
        "QSearchFailHighBlend",
        "draw the score of a move that cuts towards beta: the other side had more choice than was searched",
        (Spin("QSearchFailHighShare", 25, 0, 100, "percent of the way"),),
    ),
    Technique(
        "QSearchDelta",
        "look at no capture where even a queen would not lift the score to alpha",
        (Spin("QSearchDeltaMargin", 200, 50, 500, "centipawns beyond a queen"),),
    ),
    Technique(
        "QSearchFutility",
        "skip captures whose prize cannot lift the score to alpha",
        (Spin("QSearchFutilityBase", 142, 20, 500, "centipawns a capture may fall short and still be tried"),),
    ),
    Technique(
        "QSearchExchangeFutility",
        "skip captures whose exchange cannot make up for what is missing to alpha",
        (Spin("QSearchExchangeBase", 112, 20, 500, "centipawns it may fall short and still be tried"),),
    ),
    Technique(
        "QSearchPhaseMargin",
        "widen these margins as material leaves; none hold where a pawn is about to promote or only pawns are left",
        (Spin("QSearchPhaseWidening", 60, 0, 300, "centipawns more with all pieces gone"),),
    ),
    Technique(
        "QSearchSEE",
        "skip captures that lose material",
        (Spin("QSearchSEEFloor", 0, 0, 200, "centipawns an exchange may lose and still be tried"),),
    ),
    Technique(
        "QSearchMoveCount",
        "after some moves skip the rest, but checks, recaptures and promotions",
        (Spin("QSearchMoveCountMost", 3, 1, 20, "moves tried before"),),
    ),
    Technique(
        "QSearchChecks",
        "try quiet checks on the first plies",
        (Spin("QSearchCheckPlies", 1, 0, 4, "plies below the root of quiescence on which they are tried"),),
    ),
    Technique("QSearchEvasions", "skip quiet evasions once one is known not to lose by force"),
    Technique("QSearchStalemate", "see stalemate where only king and pawns could move"),
    Technique("QSearchUnderpromotions", "promote to rook and bishop too, which matters against stalemate", plain=True),
    Technique("QSearchCaptureHistory", "learn from captures that cut in quiescence", default=False),
)


def field_name(name: str) -> str:
    """The kernels' word for an option: ReverseFutilityDepth is reverse_futility_depth."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def options() -> Iterator[tuple[str, int, int, int, str]]:
    """Every option: name, default, least, most, meaning; a switch goes from 0 to 1."""
    for technique in TECHNIQUES:
        yield technique.name, int(technique.default), 0, 1, technique.why
        for spin in technique.numbers:
            yield spin.name, spin.default, spin.low, spin.high, spin.why


BOUNDS = {name: (low, high) for name, _, low, high, _ in options()}


class OptionError(ValueError):
    """An option that does not exist or a value it cannot have; the message says which."""


def check_option(name: str, value: int) -> None:
    """Raise OptionError unless the option exists and may have this value."""
    if name not in BOUNDS:
        raise OptionError(f"there is no search option {name!r}")
    low, high = BOUNDS[name]
    if not low <= value <= high:
        raise OptionError(f"{name} is {value}, outside {low} to {high}")


def all_off() -> dict[str, int]:
    """Options under which the search is plain alpha-beta."""
    return {technique.name: int(technique.plain) for technique in TECHNIQUES}
