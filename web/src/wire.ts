// What the server says, as src/quiesce/web/ writes it. Scores are White's, but for trees: theirs are the root's side's.

export interface Ply { uci: string; san: string; board: string; check: boolean }
export interface End { result: string; why: string }
export interface GameFacts {
  start: string; chess960: boolean; fen: string; board: string; check: boolean; turn: Colour; first: number;
  plies: Ply[]; dests: Record<string, string[]>; end: End | null;
}
export type Colour = "white" | "black";
export interface Score { cp: number | null; mate: number | null; points: number }
export interface LineFacts extends Score { depth: number; exact: boolean; moves: Ply[] }
export interface ReportFacts {
  depth: number; seldepth: number; nodes: number; nps: number; seconds: number; hashfull: number; lines: LineFacts[];
}
export interface Verdict extends Score { ply: number; best: Ply | null; judgement: "" | "inaccuracy" | "mistake" | "blunder"; certainty: string; accuracy?: number | null }
export interface ToldLine { cp: number | null; mate: number | null; moves: Ply[] }
/** Why a move is good or bad; `leaf` counts the moves of the answer after which quiescence took over. */
export interface WhyFacts {
  sentences: [string, string]; is_best: boolean; loss: number; seen: number; answer: ToldLine; line: ToldLine | null; leaf: number; is_over: boolean;
  stopped?: boolean;
}
export interface Spin { name: string; default: number; low: number; high: number; why: string }
export interface Technique { name: string; why: string; numbers: Spin[]; default: boolean; plain: boolean }
export interface Reason { word: string; meaning: string; is_skip: boolean }
export interface Stop { title: string; text: string; fen: string; moves: string[]; options: Record<string, number> }
export interface Hello {
  version: string; start: string; elo: [number, number]; lines: number; engine: { threads: number; megabytes: number }; tables: boolean; techniques: Technique[]; switches: Technique[]; reasons: Reason[]; tour: Stop[];
}
export type Value = number | string | null;
export type Row = [number, string, string, Value, Value, Value, Value, number, number];
export interface TreeFacts {
  fen: string; turn: Colour; static: Value; score: Value; line: string[]; path: [uci: string, san: string][]; sentence: string; nodes: number;
  counters: Record<string, number>; columns: string[]; rows: Row[]; left_out: string; stopped?: boolean;
}
/** A game as the server wants it told. */
export interface Told { fen: string; moves: string[]; chess960: boolean; say?: string }

export function told(game: GameFacts, plies = game.plies.length): Told {
  return { fen: game.start, chess960: game.chess960, moves: game.plies.slice(0, plies).map((ply) => ply.uci) };
}
