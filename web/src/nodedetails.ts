// What is known of one node of a tree: its line, its window and scores, why it ended; and its board.

import type { Board } from "./board";
import { h } from "./dom";
import { ROOT, type TreeNode, fenAt, lineTo, valueText } from "./treenode";
import type { TreeFacts } from "./wire";

export class NodeDetails {
  readonly root = h("dl", { class: "details", "aria-live": "polite" });

  constructor(private readonly board: Board) {}

  /** `last` is the move that led to the tree's position. */
  show(node: TreeNode, facts: TreeFacts, last: string): void {
    const [men, side] = fenAt(node).split(" ");
    const turn = side === "w" ? "white" : "black";
    const before = facts.path.at(-1)?.[0] ?? last;
    this.board.show({
      board: men, turn, last: node.uci || before, check: /[+#]$/.test(node.san) || (node.depth === 0 && facts.static === null),
    });
    const line = [...facts.path.map(([, san]) => san), ...lineTo(node).map((step) => step.san)];
    const rows: [string, string][] = [["line", line.join(" ") || "the position itself"]];
    if (!node.reason.is_skip) {
      rows.push(["score", valueText(node.score) || "none"]);
      rows.push(["stand pat", valueText(node.standPat) || "not allowed in check, or not asked"]);
      rows.push(["window", `${valueText(node.alpha) || "−∞"} to ${valueText(node.beta) || "+∞"}`]);
    }
    rows.push([node.reason.is_skip ? "left out" : "ended", node.reason.meaning]);
    if (node.hidden) rows.push(["not shown", `${node.hidden.toLocaleString("en")} steps below`]);
    this.root.replaceChildren(...rows.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
    this.root.className = `details ${node.family.key}`;
    this.root.dataset.node = node.san || ROOT;
  }
}
