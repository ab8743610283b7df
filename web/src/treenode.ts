// The nodes of a quiescence tree, built from the server's rows: folded at first, walked, searched.

import { pawns } from "./dom";
import { type Family, familyOf } from "./reasons";
import { fenOf, moveOfUci, positionOf } from "./rules";
import type { Reason, TreeFacts, Value } from "./wire";

export interface TreeNode {
  id: number; parent: TreeNode | null; children: TreeNode[]; depth: number; isFolded: boolean; isLine: boolean; size: number;
  uci: string; san: string; score: Value; standPat: Value; alpha: Value; beta: Value; reason: Reason; family: Family; hidden: number;
  fen?: string;
}

const FIRST_SHOWN = 32; // nodes unfolded at first

export const ROOT = "start";

export function valueText(value: Value): string {
  return value === null ? "" : typeof value === "string" ? value.replace("-", "−") : pawns(value);
}

/** The nodes of a tree, built from its rows; folded so that a readable part is open. */
export function grown(facts: TreeFacts, reasons: Reason[]): TreeNode {
  const nodes: TreeNode[] = [];
  for (const [id, row] of facts.rows.entries()) {
    const [parentId, uci, san, score, standPat, alpha, beta, reasonNumber, hidden] = row;
    const parent = parentId < 0 ? null : nodes[parentId];
    const reason = reasons[reasonNumber];
    const node: TreeNode = {
      id, parent, children: [], depth: parent ? parent.depth + 1 : facts.path.length, isFolded: true, isLine: false, size: 1, uci, san,
      score, standPat, alpha, beta, reason, family: familyOf(reason), hidden,
    };
    parent?.children.push(node);
    nodes.push(node);
  }
  for (let index = nodes.length - 1; index > 0; index--) nodes[index].parent!.size += nodes[index].size + nodes[index].hidden;
  nodes[0].fen = facts.path.reduce((fen, [uci]) => after(fen, uci), facts.fen);
  if (facts.path.every(([, san], ply) => san === facts.line[ply])) markLine(nodes[0], facts.line.slice(facts.path.length));
  unfoldSome(nodes[0]);
  return nodes[0];
}

function after(fen: string, uci: string): string {
  const position = positionOf(fen);
  position.play(moveOfUci(position, uci)!);
  return fenOf(position);
}

/** The position of a node, as FEN. */
export function fenAt(node: TreeNode): string {
  node.fen ??= after(fenAt(node.parent!), node.uci);
  return node.fen;
}

/** The nodes below the root that lead to a node, itself last. */
export function lineTo(node: TreeNode): TreeNode[] {
  const found: TreeNode[] = [];
  for (let step = node; step.parent; step = step.parent) found.unshift(step);
  return found;
}

/** All nodes, each before those below it. */
export function allOf(root: TreeNode): TreeNode[] {
  const found = [root];
  for (let index = 0; index < found.length; index++) found.push(...found[index].children);
  return found;
}

/** Does a node answer to a word: its move, or how it ended? */
export function answersTo(node: TreeNode, word: string): boolean {
  const text = word.toLowerCase();
  return node.san.toLowerCase().includes(text) || node.family.label.includes(text) || node.reason.word.replaceAll("_", " ").includes(text);
}

function markLine(root: TreeNode, line: string[]): void {
  let node: TreeNode | undefined = root;
  root.isLine = true;
  for (const san of line) {
    node = node?.children.find((child) => child.san === san && !child.reason.is_skip);
    if (!node) return;
    node.isLine = true;
  }
}

/** Opens the best line, then ply by ply as much as can be read at a glance. */
function unfoldSome(root: TreeNode): void {
  let shown = 1;
  const queue = [root];
  while (queue.length) {
    const node = queue.shift()!;
    if (!node.children.length) continue;
    if (!node.isLine && shown + node.children.length > FIRST_SHOWN) continue;
    node.isFolded = false;
    shown += node.children.length;
    queue.push(...node.children.filter((child) => child.isLine), ...node.children.filter((child) => !child.isLine));
  }
}
