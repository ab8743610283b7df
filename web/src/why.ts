// Why a move is good or bad: the sentences, the line to its end, and the tree of quiescence there.

import { button, complain, h, printed } from "./dom";
import { LostError, type Link } from "./link";
import { type Shown, Lines } from "./lines";
import { Preview } from "./preview";
import { type TreeNode, fenAt, grown, lineTo, valueText } from "./treenode";
import { TreeView } from "./treeview";
import type { Colour, Reason, Told, TreeFacts, WhyFacts } from "./wire";

/** A move of a position, which the moves of `told` lead to: its name, and the plies before it. */
export interface Question { told: Told; uci: string; name: string; first: number; side: Colour }

export interface Heard {
  /** Plays moves after the position that was asked about. */
  play(question: Question, moves: string[]): void;
  /** Keeps the line in the game, with the words; not offered where this is not given. */
  keep?(question: Question, moves: string[], words: string): void;
  tree(told: Told): void;
  /** The search is over, and another may begin. */
  ended(): void;
}

export class Why {
  readonly root = h("section", { class: "card why", hidden: true, "aria-label": "Why" });
  readonly tree = new TreeView("Tree of quiescence at the end of the line");
  private readonly heading = h("h2", {});
  private readonly words = h("p", { class: "words", "aria-live": "polite" });
  private readonly lines = new Lines("The line, and the best other one");
  private readonly leaf = h("p", { class: "quiet" });
  private readonly point = h("p", { class: "quiet pointed" });
  private readonly frame = h("div", { class: "treeframe small" }, this.tree.root);
  private readonly preview = new Preview();
  private readonly keepButton = button("Keep in the game", () => this.keep(), { title: "Add the line as a variation with this explanation" });
  private readonly row = h("div", { class: "row" }, this.keepButton, button("Open the tree", () => this.open(), { title: "The tree in the Quiescence tab" }));
  isSearching = false;
  private asked = 0;
  private question?: Question;
  private facts?: WhyFacts;

  constructor(private readonly link: Link, private readonly reasons: Reason[], private readonly heard: Heard) {
    this.root.append(
      h("div", { class: "row between" }, this.heading, button("Close", () => this.close(), { class: "icon", "aria-label": "Close", title: "Close" })),
      this.words, this.lines.root, this.leaf, this.frame, this.point, this.row);
    this.root.querySelector("button")!.textContent = "✕";
    this.keepButton.hidden = !heard.keep;
    this.lines.onPlay = (line, count) => this.question && heard.play(this.question, uciOf(line).slice(0, count));
    this.tree.onFocus = (node) => this.show(node);
    this.tree.svg.addEventListener("pointerleave", () => this.preview.hide());
    new ResizeObserver(() => this.frame.hidden || this.tree.fit()).observe(this.frame);
  }

  /** The answer, once it is there; undefined where another question was asked meanwhile, or none could be had. */
  async ask(question: Question): Promise<WhyFacts | undefined> {
    const asked = ++this.asked;
    this.isSearching = true;
    [this.question, this.facts] = [question, undefined];
    this.root.hidden = false;
    this.heading.textContent = question.name;
    this.words.textContent = "Searching this move and all others…";
    this.frame.hidden = this.leaf.hidden = this.point.hidden = this.row.hidden = true;
    this.lines.show([], 0, question.side);
    try {
      const facts = await this.link.ask<WhyFacts>("why", { ...question.told, move: question.uci });
      if (asked !== this.asked) return undefined;
      this.isSearching = false;
      if (facts.stopped) this.close();
      else this.tell(question, facts);
      this.heard.ended();
      if (facts.stopped) return undefined;
      await this.grow(asked, question, facts);
      return facts;
    } catch (error) {
      if (asked !== this.asked) return undefined;
      this.close();
      if (!(error instanceof LostError)) complain(error);
      this.heard.ended();
      return undefined;
    }
  }

  close(): void {
    this.asked++;
    this.isSearching = false;
    this.root.hidden = true;
    this.preview.hide();
  }

  private tell(question: Question, facts: WhyFacts): void {
    this.facts = facts;
    this.words.textContent = printed(facts.sentences.join(" "));
    this.lines.show([facts.answer, ...(facts.line ? [facts.line] : [])], question.first, question.side);
    this.row.hidden = this.leaf.hidden = false;
    this.leaf.textContent = facts.is_over ? "The game is over where the first line ends: there is no tree."
      : `After ${facts.leaf === 1 ? "the move itself" : `${facts.leaf} plies of the first line`} the search handed over to quiescence. Its tree, with scores for the side to move there:`;
  }

  private get told(): Told {
    const { told } = this.question!;
    return { ...told, moves: [...told.moves, ...uciOf(this.facts!.answer).slice(0, this.facts!.leaf)] };
  }

  private async grow(asked: number, question: Question, facts: WhyFacts): Promise<void> {
    if (facts.is_over) return;
    const tree = await this.link.ask<TreeFacts>("tree", this.told);
    if (asked !== this.asked || tree.stopped) return;
    this.frame.hidden = this.point.hidden = false;
    this.preview.turn(question.side);
    this.tree.show(grown(tree, this.reasons));
  }

  /** The words for a node, and its board beside it while it is pointed at. */
  private show(node: TreeNode): void {
    const line = lineTo(node).map((step) => step.san).join(" ") || "the leaf itself";
    this.point.textContent = `${line}${node.reason.is_skip ? "" : `, ${valueText(node.score)}`}: ${node.reason.meaning}`;
    const element = this.tree.svg.querySelector(`[data-id="${node.id}"]:hover`);
    if (!element) {
      this.preview.hide();
      return;
    }
    const [board, turn] = fenAt(node).split(" ");
    this.preview.show({ board, turn: turn === "w" ? "white" : "black", last: node.uci, check: /[+#]$/.test(node.san) }, element.getBoundingClientRect());
  }

  private keep(): void {
    if (this.question && this.facts) this.heard.keep?.(this.question, uciOf(this.facts.answer), this.facts.sentences.join(" "));
  }

  private open(): void {
    if (this.facts) this.heard.tree(this.told);
  }
}

export function uciOf(line: Shown): string[] {
  return line.moves.map((ply) => ply.uci);
}
