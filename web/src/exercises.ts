// Exercises made of one's own mistakes, kept in this browser; each comes back after longer and longer while it is solved.

import { makeSan } from "chessops/san";
import { moveOfUci, placement, positionOf } from "./rules";
import { titleOf } from "./pgn";
import type { Tree } from "./tree";
import type { Colour } from "./wire";

export interface Exercise {
  fen: string; chess960: boolean; played: string; best: string; title: string;
  box: number; // how often in a row it was solved at the first try
  due: number;
}

const KEPT = "quiesce-exercises";
const DAY = 24 * 3600 * 1000;
const DAYS = [1, 3, 7, 16, 35, 90]; // until it comes again, by box
const SOON = 10 * 60 * 1000; // after a wrong try
const MOST = 1000;

export function keptExercises(): Exercise[] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as Exercise[];
  } catch {
    return [];
  }
}

function keep(exercises: Exercise[]): void {
  localStorage.setItem(KEPT, JSON.stringify(exercises.slice(-MOST)));
}

/** Those that are due, the longest due first. */
export function dueExercises(now = Date.now()): Exercise[] {
  return keptExercises().filter(({ due }) => due <= now).sort((one, other) => one.due - other.due);
}

/** What one side's mistakes and blunders give; what the review is unsure of gives none. */
export function mistakesOf(tree: Tree, side: Colour): Exercise[] {
  return tree.mainline.flatMap((node) => {
    const before = node.parent!;
    const { judgement = "", certainty = "" } = node.verdict ?? {};
    const best = before.verdict?.best;
    if (before.turn !== side || !best || !/^(mistake|blunder)$/.test(judgement) || certainty.includes("unsure")) return [];
    const title = titleOf(tree.headers) || tree.mainline.slice(0, 6).map(({ san }) => san).join(" ");
    return [{ fen: before.fen, chess960: tree.chess960, played: node.uci, best: best.uci, title, box: 0, due: 0 }];
  });
}

/** Adds those that are not there yet; returns how many these are. */
export function addExercises(found: Exercise[]): number {
  const all = keptExercises();
  const known = new Set(all.map(({ fen }) => placement(fen)));
  const fresh = found.filter(({ fen }) => !known.has(placement(fen)));
  keep([...all, ...fresh.map((one, index) => ({ ...one, due: Date.now() + index }))]);
  return fresh.length;
}

/** Notes how an exercise went: solved at the first try it comes back later each time, otherwise soon. */
export function noteExercise(done: Exercise, isSolved: boolean, now = Date.now()): void {
  const box = isSolved ? done.box + 1 : 0;
  const due = now + (isSolved ? DAYS[Math.min(box, DAYS.length) - 1] * DAY : SOON);
  keep(keptExercises().map((one) => (one.fen === done.fen ? { ...one, box, due } : one)));
}

export function dropExercise(done: Exercise): void {
  keep(keptExercises().filter(({ fen }) => fen !== done.fen));
}

/** The name of a move in a position. */
export function sanOf(fen: string, uci: string): string {
  const position = positionOf(fen);
  const move = moveOfUci(position, uci);
  return move ? makeSan(position, move) : uci;
}

/** All exercises as PGN: each a game from its position, the answer its move. */
export function exercisesPgn(): string {
  return keptExercises().map(({ fen, played, best, title }) => {
    const [, turn, , , , number] = fen.split(" ");
    const tags = { Event: "Exercise", White: title, Black: `played: ${sanOf(fen, played)}`, Result: "*", SetUp: "1", FEN: fen };
    const lines = Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "'")}"]`);
    return `${lines.join("\n")}\n\n${number}${turn === "w" ? "." : "..."} ${sanOf(fen, best)} *\n`;
  }).join("\n");
}
