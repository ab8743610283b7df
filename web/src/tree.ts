// A game as a tree of variations: the first child of a node is its main move; each node keeps its comment, marks and arrows.

import type { CommentShape, Evaluation } from "chessops/pgn";
import type { Move } from "chessops/types";
import { makeSan } from "chessops/san";
import { START, endOf, fenOf, moveOfUci, positionOf, uciOf } from "./rules";
import type { Colour, End, Told, Verdict } from "./wire";

let count = 0;

export class Node {
  readonly id = ++count;
  children: Node[] = [];
  before = ""; // a comment that stands before the move
  comment = "";
  shapes: CommentShape[] = [];
  nags: number[] = [];
  clock?: number;
  spent?: number;
  evaluation?: Evaluation;
  verdict?: Verdict;

  constructor(readonly parent: Node | null, readonly fen: string, readonly uci = "", readonly san = "") {}

  get turn(): Colour {
    return this.fen.split(" ")[1] === "b" ? "black" : "white";
  }

  get board(): string {
    return this.fen.split(" ", 1)[0];
  }

  /** The nodes from the root, which is left out, to this one. */
  get path(): Node[] {
    const found: Node[] = [];
    for (let node: Node = this; node.parent; node = node.parent) found.push(node);
    return found.reverse();
  }

  /** Is there anything here that a game without annotations has not? */
  get isAnnotated(): boolean {
    return Boolean(this.comment || this.before || this.shapes.length || this.nags.length);
  }
}

export class Tree {
  root: Node;
  headers = new Map<string, string>();
  version = 0; // grows with each change, so that a view knows when it is old

  constructor(fen = START, readonly chess960 = false) {
    this.root = new Node(null, fenOf(positionOf(fen)));
  }

  /** Plies before the first move, by its number. */
  get first(): number {
    const fields = this.root.fen.split(" ");
    return 2 * (Number(fields[5]) - 1) + (fields[1] === "b" ? 1 : 0);
  }

  /** The child that a legal move leads to, made where there is none yet. */
  add(node: Node, move: Move): Node {
    const position = positionOf(node.fen);
    const uci = uciOf(position, move, this.chess960);
    const known = node.children.find((child) => child.uci === uci);
    if (known) return known;
    const san = makeSan(position, move);
    position.play(move);
    const child = new Node(node, fenOf(position), uci, san);
    node.children.push(child);
    this.version++;
    return child;
  }

  /** Plays moves in UCI notation; returns the last node, or undefined where one of them is illegal. */
  addAll(node: Node, moves: string[]): Node | undefined {
    for (const uci of moves) {
      const move = moveOfUci(positionOf(node.fen), uci);
      if (!move) return undefined;
      node = this.add(node, move);
    }
    return node;
  }

  get mainline(): Node[] {
    const found: Node[] = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) found.push(node);
    return found;
  }

  isMain(node: Node): boolean {
    return node.path.every((step) => step.parent?.children[0] === step);
  }

  /** Where a node's line leaves the main line. */
  leaving(node: Node): Node {
    const first = node.path.find((step) => step.parent?.children[0] !== step);
    return first?.parent ?? node;
  }

  /** The first node of the variation that a node belongs to; undefined in the main line. */
  branch(node: Node): Node | undefined {
    return node.path.reverse().find((step) => step.parent?.children[0] !== step);
  }

  /** One step up for the variation of a node; returns whether there was one. */
  promote(node: Node): boolean {
    const top = this.branch(node);
    const all = top?.parent?.children;
    if (!top || !all) return false;
    const index = all.indexOf(top);
    [all[index - 1], all[index]] = [top, all[index - 1]];
    this.version++;
    return true;
  }

  /** Makes the line to a node the main one. */
  makeMain(node: Node): boolean {
    let isChanged = false;
    while (this.promote(node)) isChanged = true;
    return isChanged;
  }

  /** Takes a node and all after it away; returns the node before it. */
  remove(node: Node): Node {
    const { parent } = node;
    if (!parent) return node;
    parent.children = parent.children.filter((child) => child !== node);
    this.version++;
    return parent;
  }

  changed(): void {
    this.version++;
  }

  /** Result and reason of a game that is over at a node. */
  end(node: Node): End | null {
    const before = [this.root, ...node.path].slice(0, -1).map((step) => step.fen);
    return endOf(positionOf(node.fen), node.parent ? before : []);
  }

  /** A node as the server wants its game told. */
  told(node: Node): Told {
    return { fen: this.root.fen, chess960: this.chess960, moves: node.path.map((step) => step.uci) };
  }

  /** Where a node is, as numbers of children, to find it again in the same tree read from text. */
  place(node: Node): number[] {
    return node.path.map((step) => step.parent!.children.indexOf(step));
  }

  at(place: number[]): Node {
    let node = this.root;
    for (const index of place) node = node.children[index] ?? node;
    return node;
  }
}
