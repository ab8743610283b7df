"""Shell. Matches in the report: the result, how Elo and the evidence grew pair by pair, how games ended."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quiesce.lab.elo import strength
from quiesce.lab.match.channel import FAULTS
from quiesce.lab.match.contest import ABOUT, Score, counted, sequential_test
from quiesce.lab.report.charts import Bar, Rule, Series, bar_chart, line_chart
from quiesce.lab.report.markup import (
    Html,
    amount,
    charts,
    element,
    games_text,
    joined,
    paragraph,
    percent,
    plural,
    table,
    tiles,
    with_error,
)
from quiesce.lab.report.runs import article, is_number, parted
from quiesce.lab.report.scale import span
from quiesce.lab.sprt import NORMALIZED, Sprt
from quiesce.work.store import Run

KINDS_OF_PAIRS = ("LL", "LD", "WL or DD", "WD", "WW")
SAMPLES = 200
"""Places at which a curve over pairs is worked out."""
SETTLED = 0.15
"""Share of the pairs after which curves decide what a chart shows; the first few say anything."""
ADJUDICATION = "adjudication"


@dataclass(frozen=True, slots=True)
class Match:
    """A match as the store has it: the score, the counts after each pair, reasons for the end of games.

    Elo is that of pairs always; the sequential test is judged by `evidence`, as it was while the match was played.
    """

    engines: tuple[str, str]
    score: Score
    history: Sequence[tuple[int, ...]]
    evidence: Sequence[tuple[int, ...]]
    reasons: Counter[str]
    plies: int
    sprt: Sprt | None
    is_trinomial: bool


def read(run: Run) -> Match:
    """The match of a run."""
    items, score, reasons, plies = run.items(), Score(), Counter[str](), 0
    history, seen = list[tuple[int, ...]](), list[tuple[int, ...]]()
    sprt, is_trinomial = sequential_test(items.get(ABOUT))
    for key, facts in items.items():
        if is_number(key):
            score.add(facts)
            history.append(tuple(score.pentanomial))
            seen.append(tuple(counted(score, is_trinomial)))
            reasons.update(reason_of(game) for game in facts["games"])
            plies += sum(int(game["plies"]) for game in facts["games"])
    return Match(engines_of(run), score, history, seen, reasons, plies, sprt, is_trinomial)


def engines_of(run: Run) -> tuple[str, str]:
    """What the two sides are called; by number too, where both have one name."""
    one, two = (str(run.config.get(f"engine{seat}", {}).get("name", "engine")) for seat in (1, 2))
    return (one, two) if one != two else (f"{one} (1)", f"{two} (2)")


def reason_of(game: dict[str, Any]) -> str:
    """Why a game ended, without the particulars of a fault or a resignation."""
    if game["fault"]:
        return f"fault: {game['fault']}"
    reason = str(game["reason"])
    return reason if reason.startswith(ADJUDICATION) else reason.partition(":")[0]


def sampled(count: int) -> list[int]:
    """Numbers of pairs at which curves are worked out, the last always among them."""
    step = max(count // SAMPLES, 1)
    return sorted({*range(step, count + 1, step), count})


def decision(match: Match, sprt: Sprt) -> tuple[int, int]:
    """The first verdict of a test and its number of pairs; 0 and all pairs without one."""
    before = 0
    for count in sampled(len(match.evidence)):
        if sprt.verdict(match.evidence[count - 1]):
            first = next(n for n in range(before + 1, count + 1) if sprt.verdict(match.evidence[n - 1]))
            return sprt.verdict(match.evidence[first - 1]), first
        before = count
    return 0, len(match.evidence)


def verdict_text(match: Match, sprt: Sprt) -> str:
    """What the sequential test has come to."""
    verdict, pairs = decision(match, sprt)
    if verdict == 0:
        return "not decided yet"
    return f"{'passed' if verdict > 0 else 'failed'} after {plural(pairs, 'pair')}"


def sprt_name(match: Match, sprt: Sprt) -> str:
    """Both hypotheses of a test, and what it counts if not pairs."""
    counts = " of single games" if match.is_trinomial else ""
    return f"[{sprt.elo0:g}, {sprt.elo1:g}] {'nElo' if sprt.model == NORMALIZED else 'Elo'}{counts}"


def result_tiles(match: Match) -> Html:
    """The final figures."""
    score, found = match.score, match.score.strength
    facts: list[tuple[str, object]] = [
        ("games", f"{sum(score.games):,}"),
        ("won / drawn / lost", games_text(score.games)),
        ("score", percent(score.share)),
        ("Elo", with_error(found.elo, found.error)),
        ("nElo", with_error(found.nelo, found.nelo_error)),
        ("LOS", percent(found.superiority)),
    ]
    if match.sprt is not None:
        low, high = match.sprt.bounds
        facts.append((f"LLR ({low:.2f} to {high:.2f})", f"{match.sprt.llr(match.evidence[-1]):.2f}"))
        facts.append((f"test {sprt_name(match, match.sprt)}", verdict_text(match, match.sprt)))
    facts.append(("plies a game", amount(match.plies / max(sum(score.games), 1))))
    facts.append(("thinking, in all", f"{score.thinking / 3600:.2f} h"))
    return tiles(facts)


def pairs_chart(match: Match) -> Html:
    """Kinds of pairs as bars."""
    counts = match.score.pentanomial
    bars = [
        Bar(name, count, f"{count:,} ({percent(count / sum(counts))})")
        for name, count in zip(KINDS_OF_PAIRS, counts, strict=True)
    ]
    return bar_chart(f"Pairs by result of {match.engines[0]}", bars, "pairs")


def elo_chart(match: Match) -> Html:
    """Elo with its 95 % interval, as pairs were kept."""
    every = [(count, strength(match.history[count - 1])) for count in sampled(len(match.history))]
    found = [(count, one) for count, one in every if math.isfinite(one.error)]
    if not found:
        return paragraph("All pairs ended alike: there is no interval to draw.", kind="dim")
    band = [(count, one.elo - one.error, one.elo + one.error) for count, one in found]
    settled = [edges for count, *edges in band if count >= SETTLED * len(match.history)]
    series = Series("Elo", [(count, one.elo) for count, one in found], band)
    limits = span([0.0, *(edge for edges in settled for edge in edges)])
    title = f"Elo of {match.engines[0]}, with its 95 % interval"
    return line_chart(title, [series], ("pairs", "Elo"), [Rule(0, "")], limits=limits)


def evidence_chart(match: Match, sprt: Sprt) -> Html:
    """The log-likelihood ratio between its bounds."""
    low, high = sprt.bounds
    points = [(0.0, 0.0), *((count, sprt.llr(match.evidence[count - 1])) for count in sampled(len(match.evidence)))]
    rules = [Rule(low, f"failed: {low:.2f}"), Rule(high, f"passed: {high:.2f}")]
    return line_chart(f"Evidence, {sprt_name(match, sprt)}", [Series("LLR", points)], ("pairs", "LLR"), rules)


def endings(match: Match) -> Html:
    """Tables of how games ended, and of what engines did wrong."""
    games = sum(match.score.games)
    ends = table(
        ("end of game", "games", "share"),
        [(reason, f"{count:,}", percent(count / games)) for reason, count in match.reasons.most_common()],
    )
    if not match.score.faults:
        return joined(ends, paragraph("No engine did anything wrong.", kind="dim"))
    rows = [
        (name, *(f"{match.score.faults[seat, kind]:,}" for kind in FAULTS))
        for seat, name in enumerate(match.engines, 1)
    ]
    return joined(ends, table(("faults", *FAULTS), rows))


def show(run: Run, match: Match) -> Html:
    """A match as an article."""
    if not match.history:
        return article(run, paragraph("No pair is kept yet."))
    warnings = [paragraph(f"Doubtful: {words}.", kind="warning") for words in match.score.warnings()]
    figures = [pairs_chart(match), elo_chart(match)]
    if match.sprt is not None:
        figures.append(evidence_chart(match, match.sprt))
    return article(run, result_tiles(match), *warnings, charts(*figures), element("div", endings(match), class_="pair"))


def overview(known: Sequence[tuple[Run, Match]]) -> Html:
    """All matches in one table."""
    rows = []
    for run, match in known:
        found = match.score.strength
        llr = "" if match.sprt is None or not match.evidence else f"{match.sprt.llr(match.evidence[-1]):.2f}"
        elo = with_error(found.elo, found.error)
        rows.append((run.name, f"{sum(match.score.games):,}", games_text(match.score.games),
                     percent(match.score.share), elo, percent(found.superiority), llr))  # fmt: skip
    return table(("match", "games", "won / drawn / lost", "score", "Elo", "LOS", "LLR"), rows)


def section(runs: Sequence[Run]) -> Html:
    """All matches."""
    known, notes = parted(runs, read)
    above = overview(known) if len(known) > 1 else ""
    return joined(notes, above, *(show(run, match) for run, match in known))
