"""Runs of every kind, made up, to fill a store that the report is tested with and looked at."""

import random

from quiesce.lab.elo import strength
from quiesce.lab.report.kinds import position_kind
from quiesce.lab.searchbench import bench_positions
from quiesce.lab.sprt import Sprt

NASTY = "<script>alert(1)</script> & \"quotes\" 'single'"
SPRT = Sprt(0, 10)
ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
TECHNIQUES = {"LateMovePruning": 97, "QSearchSEE": 65, "NullMove": 25, "CheckExtension": 11, "ContinuationHistory": 20,
              "Killers": 3, "MateDistance": 0, "Singular": -1, "Futility": -6, "Razoring": -40}  # fmt: skip


def game_facts(draw, result, white, fault=""):
    """One game of a pair."""
    reasons = ("checkmate", "adjudication: both scores say White wins") if result else ("threefold repetition",)
    reason = f"{fault}: took 1.{draw.randrange(100)} s" if fault else draw.choice(reasons)
    offender = (2 if result > 0 else 1) if fault else None
    return {"white": white, "result": result, "reason": reason, "fault": fault, "offender": offender,
            "plies": draw.randrange(60, 200), "moves": "e2e4", "pgn": '[Site "-"]'}  # fmt: skip


def fill_match(store, name, pairs, edge, sprt, fault_every=0):
    """A match with a test, and a note beside its pairs."""
    draw = random.Random(name)
    engines = {
        f"engine{seat}": {"name": f"quiesce-{seat}", "of": name, "options": {"Razoring": seat}} for seat in (1, 2)
    }
    run = store.run("match", name, engines | {"control": {"base": 8.0, "increment": 0.08}, "seed": 1})
    for number in range(pairs):
        if number == 1:
            run.put("about", {"sprt": sprt and {name: getattr(sprt, name) for name in Sprt.__slots__}})
        results = draw.choices((-1, 0, 1), (0.3 - edge, 0.4, 0.3 + edge), k=2)
        faults = ["time" if fault_every and number % fault_every == 0 and result else "" for result in results]
        games = [game_facts(draw, result, white + 1, faults[white]) for white, result in enumerate(results)]
        run.add(str(number), {"games": games, "thinking": 31.5, "seconds": 33.0})


def fill_suite(store, suite, engine, count, chance, slowest=10.0):
    """A suite tried by an engine."""
    draw = random.Random(f"{suite}{engine}")
    name = f"{suite} / {engine} / {slowest:g} s"
    run = store.run("suite", name, {"suite": suite, "engine": engine, "limit": f"{slowest:g} s"})
    for number in range(count):
        solved = draw.random() < chance
        seconds = min(10 ** draw.gauss(-1.2, 0.9), slowest) if solved else None
        run.add(str(number), {"id": f"{suite}.{number + 1:03}", "fen": ENDING, "move": "e2e4",
                              "solved": solved, "points": 10 * solved, "max_points": 10, "seconds": seconds,
                              "nodes": 1000, "depth": 9, "score": 12, "trouble": "" if number else NASTY})  # fmt: skip


def fill_ablation(store):
    """Each technique on against off."""
    draw = random.Random(7)
    run = store.run("ablate", "techniques", {"preset": "quick", "nodes": 5000, "control": "8+0.08"})
    for name, worth in TECHNIQUES.items():
        run.add(f"{name}/economy", {"nodes_on": 1_000_000, "nodes_off": 1_000_000 + 9_000 * worth})
        run.add(f"{name}/suite", {"solved_on": 270, "solved_off": 270 - worth // 10, "positions": 300})
        for measure, batches in (("nodes", 2), ("time", 1)):
            for batch in range(batches):
                mean = 0.5 + worth / 700
                counts = [0] * 5
                for _ in range(250):
                    counts[sum(draw.random() < mean for _ in range(4))] += 1
                run.add(f"{name}/{measure}/{batch}", {"pentanomial": counts})


def fill_others(store):
    """A ladder, a tuning, a bench, and a run of a kind nobody knows."""
    draw = random.Random(3)
    run = store.run("ladder", "ladder at 8+0.08", {"control": "8+0.08"})
    for name, rating in (("sunfish", 1850), ("phalanx", 2610), ("gnuchess", 2660), ("glaurung", 2793), ("toga2", 2800),
                         ("stockfish-1800", None), ("ethereal-chess", 3380)):  # fmt: skip
        score = 1 / (1 + 10 ** (((rating or 2700) - 2700 + draw.gauss(0, 60)) / 400))
        wins, losses = round(160 * score), round(160 * (1 - score))
        found = strength([losses, 40, wins])
        run.add(name, {"rating": rating, "games": [losses, 40, wins], "elo": found.elo, "error": found.error})
    run.put("ours", {"rating": 2704.4, "error": 23.6})
    plans = {
        "QSearchDeltaMargin": (200, 50, 500, 20),
        "RazorMargin": (300, 100, 600, 30),
        "LmrDivisor": (2.25, 1, 4, 0.2),
    }
    table = {name: dict(zip(("start", "low", "high", "c"), plan, strict=True)) for name, plan in plans.items()}
    run = store.run("tune", "search numbers", {"parameters": table})
    values = {name: plan[0] for name, plan in plans.items()}
    for step in range(60):
        values = {name: value + draw.gauss(0.03, 0.2) * plans[name][3] for name, value in values.items()}
        run.add(f"{step:05}", {"values": values, "score": draw.random(), "games": 32})
    run.add("00063", {"score": 0.5, "games": 32})
    run.add("verify 00000", {"pentanomial": [1, 20, 50, 30, 2]})
    run = store.run("bench", "bench to depth 14", {"sources": "0123456789abcdef", "depth": 14})
    for number, fen in enumerate(bench_positions()):
        pace = 10 ** draw.gauss(0, 0.3)
        depths = [{"depth": d, "seconds": 2e-5 * pace * 2**d, "nodes": 20 * 2**d} for d in range(1, 15)]
        share = draw.uniform(0.3, 0.7)
        nodes = {"nodes": 300_000, "qnodes": round(300_000 * share)}
        run.add(f"{number:02}", {"fen": fen, "kind": position_kind(fen), "depths": depths} | nodes)
    store.run("seance", "unknown", {})


def fill(store):
    """Made-up runs of every kind, in one go; two names are hostile."""
    store.write("BEGIN", ())
    fill_match(store, "quiesce-1 - quiesce-2, 8+0.08", 400, 0.05, SPRT, fault_every=41)
    fill_match(store, f"quiesce - {NASTY}, 40/60", 30, -0.1, None)
    fill_match(store, "quiesce (Hash=64, Threads=1) - stockfish-15.1 with a long name, 10+0.1", 1200, 0.0, None)
    fill_suite(store, "wac", "quiesce", 300, 0.93)
    fill_suite(store, "wac", "sunfish", 280, 0.6)
    fill_suite(store, NASTY, "quiesce", 24, 0.5, slowest=600.0)
    fill_ablation(store)
    fill_others(store)
    store.write("COMMIT", ())
