"""Shell. TECHNIQUES: everything the search may do, each with its switch, its reason and its numbers, once.

From this table come the record kernels read (settings.py), the options users set, the list of ablations,
the tuner's bounds and the reference page. Nothing heavy is imported: a GUI asks for the options first.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from quiesce.search.reason import Reason, skip

Value = TypeVar("Value")


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
    """Value of the switch in plain alpha-beta: on where off would leave out legal moves or the quiescence itself."""
    skips: tuple[Reason, ...] = ()
    """Why it leaves moves out of quiescence, if it does: counted, and shown in trees, under these words."""


TECHNIQUES = (
    Technique("TtCut", "use a score of the transposition table that was searched at least as deep"),
    Technique("TtEval", "use a table score as static evaluation where its bound allows"),
    Technique(
        "EvalFiftyMoves",
        "scale the network's evaluation down as the fifty-move rule comes nearer",
        (Spin("EvalFiftyMovesPlies", 200, 110, 1_000, "plies without progress at which the evaluation would be 0"),),
        default=False,
    ),
    Technique(
        "EvalMaterial",
        "scale the network's evaluation down as pieces leave the board",
        (Spin("EvalMaterialBase", 150, 20, 1_000, "weight with pawns alone; all other pieces add 62"),),
        default=False,
    ),
    Technique(
        "TtPv",
        "reduce positions less that were once on a principal variation, and never prune them by reverse futility",
        (Spin("TtPvPlies", 1, 0, 3, "plies they are reduced less"),),
        default=False,
    ),
    Technique("TtCutHistory", "give a history bonus to a quiet table move that cuts without a search", default=False),
    Technique("MateDistance", "search for no mate longer than one already found"),
    Technique("UpcomingRepetition", "score a node at least as a draw if a move leads back to an earlier position"),
    Technique(
        "Aspiration",
        "search the root with a narrow window around the last score, and widen it when the score falls outside",
        (
            Spin("AspirationDepth", 4, 2, 10, "first depth with a narrow window"),
            Spin("AspirationDelta", 14, 4, 60, "points from the last score to each bound at first"),
            Spin("AspirationGrowth", 50, 10, 200, "percent by which the window grows after each failure"),
        ),
    ),
    Technique(
        "Iir",
        "internal iterative reduction: search a ply less where the table has no move",
        (Spin("IirDepth", 4, 2, 10, "least depth"),),
    ),
    Technique(
        "ReverseFutility",
        "return the evaluation where it beats beta by more than the remaining depth is likely to cost",
        (
            Spin("ReverseFutilityDepth", 8, 2, 14, "greatest depth"),
            Spin("ReverseFutilityMargin", 89, 20, 200, "points per ply of depth"),
            Spin("ReverseFutilityImproving", 60, 0, 150, "points less when the position improves"),
            Spin(
                "ReverseFutilityWorsening",
                20,
                0,
                100,
                "points less if the opponent's last move made its position worse",
            ),
        ),
    ),
    Technique(
        "Razoring",
        "where the evaluation is far below alpha, let quiescence confirm the fail low",
        (
            Spin("RazoringDepth", 3, 1, 6, "greatest depth"),
            Spin("RazoringBase", 150, 0, 500, "points below alpha at depth 0"),
            Spin("RazoringMargin", 180, 50, 500, "additional points per ply"),
        ),
        default=False,
    ),
    Technique(
        "NullMove",
        "if a null move still beats beta, a move will; not with pawns alone, where a null move may be best",
        (
            Spin("NullMoveDepth", 3, 1, 6, "least depth"),
            Spin("NullMoveBase", 4, 1, 6, "least reduction in plies"),
            Spin("NullMoveDivisor", 4, 2, 8, "depth per additional ply of reduction"),
            Spin("NullMoveEvalStep", 163, 50, 500, "points over beta per additional ply of reduction"),
            Spin("NullMoveEvalMost", 3, 0, 6, "greatest number of plies for points over beta"),
            Spin("NullMoveVerify", 14, 8, 30, "depth from which a success is verified without null moves"),
        ),
    ),
    Technique(
        "ProbCut",
        "return if a capture beats a raised beta at reduced depth: it will beat beta at full depth",
        (
            Spin("ProbCutDepth", 5, 3, 10, "least depth"),
            Spin("ProbCutMargin", 225, 50, 500, "points beta is raised by"),
            Spin("ProbCutReduction", 4, 2, 6, "plies the search is reduced by"),
        ),
    ),
    Technique(
        "Futility",
        "skip quiet moves where the evaluation is too far below alpha for the depth left",
        (
            Spin("FutilityDepth", 8, 2, 14, "greatest depth after reductions"),
            Spin("FutilityBase", 122, 20, 300, "points allowed at depth 0"),
            Spin("FutilityMargin", 76, 20, 200, "additional points per ply"),
        ),
    ),
    Technique(
        "LateMovePruning",
        "skip quiet moves after many have failed",
        (
            Spin("LateMoveDepth", 8, 2, 14, "greatest depth"),
            Spin("LateMoveBase", 3, 1, 10, "moves tried at depth 0; the square of the depth is added"),
        ),
    ),
    Technique(
        "HistoryPruning",
        "skip quiet moves that have often failed elsewhere",
        (
            Spin("HistoryPruningDepth", 4, 1, 8, "greatest depth after reductions"),
            Spin("HistoryPruningMargin", 3_500, 500, 10_000, "history below zero, a ply"),
        ),
    ),
    Technique(
        "SeePruning",
        "skip moves that lose more material in the exchange than the depth left can bring back",
        (
            Spin("SeePruningDepth", 9, 2, 14, "greatest depth"),
            Spin("SeePruningQuiet", 50, 5, 100, "points a quiet move may lose, times the square of reduced depth"),
            Spin("SeePruningNoisy", 95, 20, 250, "points a noisy move may lose, a ply"),
        ),
    ),
    Technique(
        "LateMoveReductions",
        "search late moves at reduced depth, and again at full depth if they beat alpha",
        (
            Spin("ReductionDepth", 3, 2, 6, "least depth"),
            Spin("ReductionBase", 80, 0, 200, "hundredths of a ply"),
            Spin("ReductionDivisor", 235, 100, 500, "log(depth) * log(move) is divided by hundredths of this"),
            Spin("ReductionHistory", 8_000, 2_000, 20_000, "history worth a ply"),
            Spin("ReductionCut", 1, 0, 3, "plies more at expected cut nodes"),
            Spin("ReductionCheck", 1, 0, 3, "plies less for moves that give check"),
            Spin("ReductionChildCuts", 2, 0, 8, "cutoffs of child nodes that add a ply of reduction"),
        ),
    ),
    Technique("TtMoveNoisy", "reduce quiet moves by a ply more where the table move is noisy", default=False),
    Technique(
        "LmrResearchDepth",
        "re-search a reduced move deeper if it is far the best, shallower if hardly better",
        (
            Spin("LmrResearchDeeper", 50, 10, 200, "points above the best so far from which it is a ply deeper"),
            Spin("LmrResearchShallower", 9, 0, 50, "points above the best so far up to which it is a ply shallower"),
        ),
        default=False,
    ),
    Technique("ReductionFractions", "count reductions in parts of a ply, rounded only at the end", default=False),
    Technique(
        "Singular",
        "extend the table move if all others fail well below its score",
        (
            Spin("SingularDepth", 7, 4, 12, "least depth"),
            Spin("SingularMargin", 1, 1, 8, "points below the table score, a ply"),
            Spin("SingularTtDepth", 3, 1, 6, "plies the table entry may be shallower"),
        ),
    ),
    Technique(
        "DoubleExtension",
        "extend the table move by two plies if all others fail far below",
        (
            Spin("DoubleExtensionMargin", 20, 0, 80, "points further below"),
            Spin("DoubleExtensionMost", 6, 0, 20, "double extensions in one line"),
        ),
    ),
    Technique(
        "CheckExtension",
        "extend checks that lose no material by a ply, in lines not yet much extended",
        (Spin("CheckExtensionReach", 200, 100, 300, "percent of the iteration's depth up to which a line may grow"),),
    ),
    Technique("MultiCut", "return if another move than the table's beats beta in the singular search"),
    Technique("NegativeExtension", "reduce a table move that is good but not singular"),
    Technique("Killers", "try quiet moves early that cut in a sibling node"),
    Technique("CounterMove", "try the quiet move early that refuted the last move elsewhere"),
    Technique("QuietHistory", "order quiet moves by how often they cut, by from and to"),
    Technique(
        "ThreatOrder",
        "order quiet moves by whether their piece leaves or enters attacks of lesser pieces",
        (Spin("ThreatOrderWeight", 12, 1, 40, "history for each point of the piece's value"),),
    ),
    Technique(
        "CheckOrder",
        "order quiet moves that give check and lose nothing before most others",
        (Spin("CheckOrderBonus", 8_000, 1_000, 32_000, "history bonus"),),
    ),
    Technique("ContinuationHistory", "order quiet moves by how they did after the moves before"),
    Technique("PawnHistory", "order quiet moves by how they did with the same pawns", default=False),
    Technique(
        "PriorMoveBonus",
        "give a history bonus to the quiet move after which every reply failed low",
        (Spin("PriorMoveBonusShare", 60, 10, 200, "percent of a cutoff's bonus"),),
        default=False,
    ),
    Technique("CaptureHistory", "order captures by how often they cut, by piece, square and victim"),
    Technique(
        "CorrectionHistory",
        "correct the evaluation by its past errors with the same pawns, pieces or last moves",
        (
            Spin("CorrectionPawn", 32, 0, 64, "weight of the pawns' correction, of 64"),
            Spin("CorrectionNonPawn", 24, 0, 64, "weight of each side's pieces' correction, of 64"),
            Spin("CorrectionContinuation", 24, 0, 64, "weight of the last two moves' correction, of 64"),
        ),
    ),
    Technique(
        "TtFiftyMoves",
        "trust no table score that the fifty-move rule may have changed",
        (Spin("TtFiftyMovesPlies", 90, 20, 100, "plies without progress from which no table score cuts"),),
    ),
    Technique(
        "UseQuiescence", "resolve leaves by quiescence search; off, they are evaluated as they stand", plain=True
    ),
    Technique(
        "QSearchLimits",
        "limit the plies and nodes of quiescence, except in check",
        (
            Spin("QSearchMaxPly", 32, 16, 64, "plies below the root of quiescence"),
            Spin("QSearchMaxNodes", 200_000, 1_000, 10_000_000, "nodes of one call"),
        ),
    ),
    Technique("QSearchTT", "use and fill the table in quiescence, as depth 0"),
    Technique("QSearchRefine", "use a table score as stand pat where its bound allows"),
    Technique("QSearchStoreEval", "keep the static evaluation of positions the table does not know", default=False),
    Technique("QSearchExactBounds", "store scores inside the window as exact"),
    Technique(
        "QSearchStandPatBlend",
        "move a stand pat that cuts towards beta: it is a guess",
        (Spin("QSearchStandPatShare", 50, 0, 100, "percent of the way"),),
        default=False,
    ),
    Technique(
        "QSearchFailHighBlend",
        "move the score of a move that cuts towards beta: the other side had more choice than was searched",
        (Spin("QSearchFailHighShare", 25, 0, 100, "percent of the way"),),
    ),
    Technique(
        "QSearchDelta",
        "skip all captures where even winning a queen would not raise the score to alpha",
        (Spin("QSearchDeltaMargin", 200, 50, 500, "points beyond a queen"),),
    ),
    Technique(
        "QSearchFutility",
        "skip captures that cannot raise the score to alpha",
        (Spin("QSearchFutilityBase", 142, 20, 500, "points a capture may fall short and still be tried"),),
        skips=skip("futility", "the prize could not lift the score to alpha"),
    ),
    Technique(
        "QSearchExchangeFutility",
        "skip captures whose exchange cannot raise the score to alpha",
        (Spin("QSearchExchangeBase", 112, 20, 500, "points it may fall short and still be tried"),),
        skips=skip("exchange_futility", "the exchange could not make up for what was missing"),
    ),
    Technique(
        "QSearchPhaseMargin",
        "widen these margins as material leaves; none with pawns alone or a pawn about to promote",
        (Spin("QSearchPhaseWidening", 60, 0, 300, "points more with all pieces gone"),),
    ),
    Technique(
        "QSearchSEE",
        "skip captures that lose material",
        (Spin("QSearchSEEFloor", 0, 0, 200, "points an exchange may lose and still be tried"),),
        skips=skip("exchange", "the exchange loses material"),
    ),
    Technique(
        "QSearchMoveCount",
        "skip the rest after n moves, except checks, recaptures and promotions",
        (Spin("QSearchMoveCountMost", 3, 1, 20, "number of moves tried first"),),
        skips=skip("count", "enough moves had been tried"),
    ),
    Technique(
        "QSearchChecks",
        "try quiet checks on the first plies",
        (Spin("QSearchCheckPlies", 1, 0, 4, "plies below the root of quiescence on which they are tried"),),
    ),
    Technique(
        "QSearchEvasions",
        "skip quiet evasions once one is known not to be mated",
        skips=skip("quiet_evasion", "another evasion was known not to lose"),
    ),
    Technique("QSearchStalemate", "detect stalemate where the mover has only king and pawns"),
    Technique(
        "QSearchUnderpromotions",
        "promote to rook and bishop too, which matters against stalemate",
        plain=True,
        skips=skip("underpromotion", "promotions to rook and bishop were switched off"),
    ),
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


RENAMED = {
    "EvalClock": "EvalFiftyMoves",
    "EvalClockPlies": "EvalFiftyMovesPlies",
    "InternalReduction": "Iir",
    "InternalReductionDepth": "IirDepth",
    "PriorHistory": "PriorMoveBonus",
    "PriorHistoryShare": "PriorMoveBonusShare",
    "SecondLook": "LmrResearchDepth",
    "SecondLookDeeper": "LmrResearchDeeper",
    "SecondLookShallower": "LmrResearchShallower",
    "SingularTableDepth": "SingularTtDepth",
    "TableClock": "TtFiftyMoves",
    "TableClockPlies": "TtFiftyMovesPlies",
    "TableCut": "TtCut",
    "TableCutHistory": "TtCutHistory",
    "TableEval": "TtEval",
    "TableNoisy": "TtMoveNoisy",
    "TablePv": "TtPv",
    "TablePvPlies": "TtPvPlies",
}
"""Names of 0.1.0 and what they are now: understood for a release, in options, plans and records of tuning."""


def current_name(name: str) -> str:
    """An option's name today, for one that may be from 0.1.0."""
    return RENAMED.get(name, name)


def current_names(values: Mapping[str, Value]) -> dict[str, Value]:
    """Values by today's names of their options."""
    return {current_name(name): value for name, value in values.items()}


def check_option(name: str, value: int) -> None:
    """Raise OptionError unless the option exists, by its name of today, and may have this value."""
    if name not in BOUNDS:
        raise OptionError(f"there is no search option {name!r}")
    low, high = BOUNDS[name]
    if not low <= value <= high:
        raise OptionError(f"{name} is {value}, outside {low} to {high}")


def all_off() -> dict[str, int]:
    """Options under which the search is plain alpha-beta."""
    return {technique.name: int(technique.plain) for technique in TECHNIQUES}
