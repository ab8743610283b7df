// Families of reasons: one colour and one sign each, so that nobody needs the colours alone. After Okabe and Ito.

import type { Reason } from "./wire";

export interface Family { key: string; label: string; sign: string; words: string[] }

export const FAMILIES: Family[] = [
  { key: "tried", label: "all tried", sign: "•", words: ["all_tried"] },
  { key: "stand", label: "stand pat", sign: "P", words: ["stand_pat"] },
  { key: "cut", label: "beta cut", sign: "β", words: ["beta_cut"] },
  { key: "delta", label: "delta", sign: "δ", words: ["delta_node"] },
  { key: "futility", label: "futility", sign: "f", words: ["futility", "exchange_futility"] },
  { key: "exchange", label: "exchange", sign: "x", words: ["exchange"] },
  { key: "count", label: "count", sign: "n", words: ["count", "quiet_evasion", "underpromotion"] },
  { key: "table", label: "table", sign: "T", words: ["table_cut"] },
  { key: "limit", label: "limit", sign: "!", words: ["limit", "stack_end", "stopped"] },
  { key: "mate", label: "mate", sign: "#", words: ["mated"] },
  { key: "draw", label: "draw", sign: "=", words: ["draw", "repetition", "stalemate"] },
];

const BY_WORD = new Map(FAMILIES.flatMap((family) => family.words.map((word) => [word, family] as const)));

const OTHER_SKIPS = FAMILIES.find((family) => family.key === "count")!;

/** A new technique's reason needs no row here: a move it leaves out belongs with those left out by counts. */
export function familyOf(reason: Reason): Family {
  return BY_WORD.get(reason.word) ?? (reason.is_skip ? OTHER_SKIPS : FAMILIES[0]);
}

/** The words of all reasons in a family. */
export function wordsOf(family: Family, reasons: Reason[]): string[] {
  return reasons.filter((reason) => familyOf(reason) === family).map((reason) => reason.word);
}
