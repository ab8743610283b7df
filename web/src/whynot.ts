// "Why?" and "Why not…" of an analysis: which move is asked about, and what the review says of the one shown.

import type { Move } from "chessops/types";
import { makeSan } from "chessops/san";
import type { Board } from "./board";
import type { Desk } from "./desk";
import { button, h, toast } from "./dom";
import { toldOf } from "./graph";
import type { Link } from "./link";
import { positionOf, uciOf } from "./rules";
import type { Node } from "./tree";
import { Why } from "./why";
import type { Reason, Told } from "./wire";

export interface Heard {
  /** A search may begin, or must end, since one for a reason has ended or begins. */
  restart(): void;
  /** What the board or the words above it say has changed. */
  changed(): void;
  /** Goes along moves from a node. */
  follow(from: Node, moves: string[]): void;
  edited(): void;
  tree(told: Told): void;
}

export class WhyNot {
  readonly why: Why;
  readonly whyButton = button("Why?", () => this.ask(), { title: "Why the move shown is good or bad (w)" });
  readonly whyNotButton = button("Why not…", () => this.point(!this.isPointing), {
    "aria-pressed": "false", title: "Make any move on the board to see what it leads to (W)",
  });
  readonly judged = h("p", { class: "judged", hidden: true });
  private asked: Node; // where the move stands that was asked about last

  constructor(link: Link, reasons: Reason[], private readonly desk: Desk, private readonly board: Board, private readonly heard: Heard) {
    this.asked = desk.tree.root;
    this.why = new Why(link, reasons, {
      play: ({ uci }, moves) => this.heard.follow(this.asked, [uci, ...moves.slice(1)]),
      keep: (_, moves, words) => this.keep(moves, words),
      tree: (told) => this.heard.tree(told),
      ended: () => this.heard.restart(),
    });
  }

  /** Is the next move that is made asked about, and not played? */
  get isPointing(): boolean {
    return this.whyNotButton.getAttribute("aria-pressed") === "true";
  }

  point(isOn: boolean): void {
    this.whyNotButton.setAttribute("aria-pressed", String(isOn));
    this.board.root.classList.toggle("asking", isOn);
    this.heard.changed();
  }

  /** Why not this move, which was made on the board? */
  askOf(move: Move): void {
    const { at, tree } = this.desk;
    const position = positionOf(at.fen);
    this.point(false);
    this.explain(at, uciOf(position, move, tree.chess960), `Why not ${this.numbered(at)} ${makeSan(position, move)}?`);
  }

  /** Why the move that is shown? */
  ask(): void {
    const { at } = this.desk;
    if (at.parent) this.explain(at.parent, at.uci, `Why ${this.numbered(at.parent)} ${at.san}?`);
    else toast("Go to a move first, or press Why not… and make one");
  }

  /** Says what the review has to say of the move shown, and offers its reason. */
  show(): void {
    const { at } = this.desk;
    const best = at.parent?.verdict?.best;
    this.whyButton.disabled = !at.parent;
    this.judged.hidden = !at.verdict?.judgement;
    if (this.judged.hidden) return;
    const better = best ? ` Better was ${this.numbered(at.parent!)} ${best.san}.` : "";
    this.judged.className = `judged ${at.verdict!.judgement}`;
    this.judged.replaceChildren(h("span", {}, `${toldOf(at.verdict)}.${better}`), button("Show me", () => this.ask()));
  }

  private numbered(at: Node): string {
    const number = this.desk.tree.first + at.path.length;
    return `${Math.floor(number / 2) + 1}${number % 2 ? "…" : "."}`;
  }

  private explain(at: Node, uci: string, name: string): void {
    const { tree } = this.desk;
    this.asked = at;
    void this.why.ask({ told: tree.told(at), uci, name, first: tree.first + at.path.length, side: this.board.side });
    this.why.root.scrollIntoView({ block: "start" });
    this.heard.restart();
    this.heard.changed();
  }

  private keep(moves: string[], words: string): void {
    const { tree } = this.desk;
    const first = tree.addAll(this.asked, moves.slice(0, 1));
    if (!first) return;
    tree.addAll(first, moves.slice(1));
    if (!first.comment.includes(words)) first.comment = `${first.comment} ${words}`.trim();
    tree.changed();
    this.heard.edited();
    toast("The line was added to the game with its explanation");
  }
}
