// The moves of a tree to click through: the main line in columns, variations and comments between its rows.

import { SIGNS, toldOf } from "./graph";
import { h } from "./dom";
import { scrollTo } from "./moves";
import { GLYPHS } from "./notation";
import type { Node, Tree } from "./tree";


export class MoveTree {
  readonly root = h("ol", { class: "moves tree-of-moves", "aria-label": "Moves" });
  onPick: (node: Node) => void = () => {};
  private tree?: Tree;
  private version = -1;
  private at?: Node;
  private readonly buttons = new Map<Node, HTMLButtonElement>();

  /** Shows a tree and where one is in it; what is shown already is left as it is, with its focus and its place. */
  show(tree: Tree, at: Node): void {
    const isOld = this.tree !== tree || this.version !== tree.version;
    if (isOld) {
      const hadFocus = this.root.contains(document.activeElement);
      const top = this.root.scrollTop;
      this.build(tree);
      this.root.scrollTop = this.tree === tree ? top : 0;
      if (hadFocus) this.buttons.get(at)?.focus({ preventScroll: true });
    }
    if (isOld || this.at !== at) this.mark(at);
    [this.tree, this.version] = [tree, tree.version];
  }

  /** A move's marks have changed, and nothing else. */
  patch(node: Node): void {
    const move = this.buttons.get(node);
    if (!move) return;
    move.textContent = label(node);
    move.className = `move ${node.verdict?.judgement ?? ""}`;
    move.title = toldOf(node.verdict);
  }

  private mark(at: Node): void {
    const before = this.at && this.buttons.get(this.at);
    before?.removeAttribute("aria-current");
    if (before) before.tabIndex = -1;
    const current = this.buttons.get(at);
    current?.setAttribute("aria-current", "true");
    const first = current ?? this.buttons.values().next().value;
    if (first) first.tabIndex = 0;
    this.at = at;
    scrollTo(this.root, current);
  }

  private build(tree: Tree): void {
    this.buttons.clear();
    const rows: HTMLElement[] = [];
    let row: HTMLElement | undefined;
    let number = tree.first;
    if (tree.root.comment) rows.push(h("li", { class: "aside" }, h("p", {}, tree.root.comment)));
    for (let node = tree.root; node.children.length; node = node.children[0], number++) {
      const [main, ...others] = node.children;
      if (main.before) rows.push(h("li", { class: "aside" }, h("p", {}, main.before)));
      if (!row || number % 2 === 0 || main.before) {
        row = h("li", {}, h("span", { class: "number" }, `${Math.floor(number / 2) + 1}.`));
        if (number % 2 === 1) row.append(h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      row.append(this.button(main));
      if (!main.comment && !others.length) continue;
      if (number % 2 === 0) row.append(h("span", { class: "gap" }, "…"));
      const lines = others.map((other) => h("div", { class: "variation" }, ...this.variation(other, number)));
      rows.push(h("li", { class: "aside" }, main.comment ? h("p", {}, main.comment) : null, ...lines));
      row = undefined;
    }
    if (!rows.length) rows.push(h("li", { class: "empty" }, "No move yet."));
    this.root.replaceChildren(...rows);
  }

  /** A variation in running text, those inside it in brackets. */
  private variation(start: Node, number: number): HTMLElement[] {
    const parts: HTMLElement[] = [];
    let isNumbered = true;
    for (let node: Node | undefined = start; node; node = node.children[0], number++) {
      if (node.before) parts.push(h("span", { class: "said" }, node.before));
      if (isNumbered || number % 2 === 0) {
        parts.push(h("span", { class: "number" }, `${Math.floor(number / 2) + 1}${number % 2 ? "…" : "."}`));
      }
      parts.push(this.button(node));
      if (node.comment) parts.push(h("span", { class: "said" }, node.comment));
      isNumbered = Boolean(node.comment);
      if (node === start) continue;
      for (const other of node.parent!.children.slice(1)) {
        parts.push(h("span", { class: "variation inner" }, "(", ...this.variation(other, number), ")"));
        isNumbered = true;
      }
    }
    return parts;
  }

  private button(node: Node): HTMLButtonElement {
    const move = h("button", {
      type: "button", class: `move ${node.verdict?.judgement ?? ""}`, title: toldOf(node.verdict), tabIndex: -1,
      onclick: () => this.onPick(node),
    }, label(node));
    this.buttons.set(node, move);
    return move;
  }
}

/** A move with its marks; what a review says stands where nobody has marked it. */
function label(node: Node): string {
  const marks = node.nags.map((nag) => GLYPHS[nag] ?? "").sort((one, other) => Number(/[?!]/.test(other)) - Number(/[?!]/.test(one)));
  const isMarked = node.nags.some((nag) => nag <= 6);
  return node.san + (isMarked ? "" : SIGNS[node.verdict?.judgement ?? ""]) + marks.join("");
}
