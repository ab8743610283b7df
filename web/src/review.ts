// A review of a game: every position of its main line, scored from the last to the first, then every move judged.

import { button, complain, h, toast } from "./dom";
import { addExercises, mistakesOf } from "./exercises";
import { LostError, type Link } from "./link";
import type { Node, Tree } from "./tree";
import type { Colour, Verdict } from "./wire";

export interface Heard { began(): void; judged(node: Node): void; ended(): void; train(): void }

export class Review {
  readonly button = button("Review the game", () => this.tree && void this.run(this.tree));
  readonly summary = h("p", { class: "quiet" }); // of both sides
  readonly trainButton = button("Train", () => this.train(), { hidden: true });
  private side: Colour = "white";
  isDue = false; // it was broken off with the connection
  private tree?: Tree;
  private nodes?: Node[];

  constructor(private readonly link: Link, private readonly heard: Heard) {}

  get isRunning(): boolean {
    return this.nodes !== undefined;
  }

  /** Another game may be shown: what is said of the one before is not for it. */
  show(tree: Tree): void {
    const isOther = this.nodes && this.nodes[0] !== tree.root;
    this.tree = tree;
    if (isOther) {
      this.link.ask("stop").catch(() => {});
      this.end();
    }
  }

  /** Offers to train the mistakes of the side whose view is shown. */
  offer(tree: Tree, side: Colour): void {
    const count = this.isRunning ? 0 : mistakesOf(tree, side).length;
    this.side = side;
    this.trainButton.hidden = !count;
    this.trainButton.textContent = `Train ${side === "white" ? "White" : "Black"}'s ${count === 1 ? "mistake" : `${count} mistakes`}`;
    this.summary.textContent = this.isRunning ? "" : sides(tree);
    this.trainButton.title = "As exercises, repeated until solved; flip the board for the other side";
  }

  private train(): void {
    if (!this.tree) return;
    const added = addExercises(mistakesOf(this.tree, this.side));
    toast(added ? `${added} new ${added === 1 ? "exercise" : "exercises"}` : "These exercises exist already");
    this.heard.train();
  }

  async run(tree: Tree): Promise<void> {
    this.isDue = false;
    if (this.nodes) return;
    const nodes = [tree.root, ...tree.mainline];
    this.nodes = nodes;
    this.heard.began();
    for (const node of nodes) node.verdict = undefined;
    tree.changed();
    this.button.disabled = true;
    try {
      await this.link.ask("review", tree.told(nodes[nodes.length - 1]), (message) => {
        if (this.nodes === nodes && message.verdict) this.judge(nodes, message.verdict as Verdict);
      });
    } catch (error) {
      if (!(error instanceof LostError)) complain(error);
    }
    if (this.nodes !== nodes) return;
    this.end();
    this.heard.ended();
  }

  private judge(nodes: Node[], verdict: Verdict): void {
    const node = nodes[verdict.ply];
    node.verdict = verdict;
    node.evaluation = verdict.mate !== null ? { mate: verdict.mate } : { pawns: (verdict.cp ?? 0) / 100 };
    this.button.textContent = `Reviewing ${nodes.filter((other) => other.verdict).length} of ${nodes.length}`;
    this.heard.judged(node);
  }

  private end(): void {
    this.nodes = undefined;
    this.button.disabled = false;
    this.button.textContent = "Review the game";
  }
}

/** Accuracy and marks of both sides, in words; empty where nothing was judged. */
function sides(tree: Tree): string {
  const told = (["white", "black"] as const).map((side) => {
    const own = tree.mainline.filter((node) => node.parent!.turn === side).map((node) => node.verdict);
    const judged = own.map((verdict) => verdict?.accuracy).filter((accuracy) => typeof accuracy === "number");
    if (!judged.length) return "";
    const marks = (["inaccuracy", "mistake", "blunder"] as const).map((word) => [word, own.filter((verdict) => verdict?.judgement === word).length] as const);
    const mean = judged.reduce((sum, one) => sum + one, 0) / judged.length;
    const counted = marks.filter(([, count]) => count).map(([word, count]) => `${count} ${count === 1 ? word : word === "inaccuracy" ? "inaccuracies" : `${word}s`}`);
    return `${side === "white" ? "White" : "Black"}: accuracy ${mean.toFixed(1)} %${counted.length ? `, ${counted.join(", ")}` : ""}.`;
  });
  return told.filter(Boolean).join(" ");
}
