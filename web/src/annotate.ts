// What a person says of the move shown: a comment, marks, and what becomes of its variation.

import { button, h } from "./dom";
import { GLYPHS } from "./notation";
import type { Node, Tree } from "./tree";

const OF_MOVES = [1, 2, 3, 4, 5, 6];
const OF_POSITIONS: [number, string][] = [
  [10, "equal"], [13, "unclear"], [14, "White a little better"], [15, "Black a little better"], [16, "White better"], [17, "Black better"],
  [18, "White winning"], [19, "Black winning"],
];
const NAMES = ["good", "mistake", "brilliant", "blunder", "interesting", "dubious"];

export interface Acts { changed(): void; promote(): void; makeMain(): void; remove(): void; undo(): void; draw(isOn: boolean): void }

export class Annotations {
  readonly root = h("details", { class: "annotations" });
  private readonly text = h("textarea", { rows: 2, "aria-label": "Comment on this move", placeholder: "A comment on this move" });
  private readonly marks = OF_MOVES.map((nag) => button(GLYPHS[nag], () => this.toggle(nag), {
    class: "glyph", "aria-pressed": "false", "aria-label": `${GLYPHS[nag]} ${NAMES[nag - 1]}`,
  }));
  private readonly verdict = h("select", { "aria-label": "The position is", onchange: () => this.judge() },
    h("option", { value: "" }, "position…"), ...OF_POSITIONS.map(([nag, name]) => h("option", { value: String(nag) }, `${GLYPHS[nag]} ${name}`)));
  private readonly pen = button("Draw", () => this.setDrawing(this.pen.getAttribute("aria-pressed") !== "true"), {
    "aria-pressed": "false", title: "Two taps draw an arrow, two on one square a circle; with a mouse the right button does",
  });
  private readonly promote: HTMLButtonElement;
  private readonly main: HTMLButtonElement;
  private readonly remove: HTMLButtonElement;
  private node?: Node;
  private tree?: Tree;

  constructor(private readonly acts: Acts) {
    this.promote = button("Promote", () => acts.promote(), { title: "The variation goes up one step (p)" });
    this.main = button("Make main line", () => acts.makeMain(), { title: "Make main line (P)" });
    this.remove = button("Delete from here", () => acts.remove(), { title: "This move and all after it (Delete); z undoes" });
    this.text.addEventListener("input", () => this.comment());
    this.text.addEventListener("keydown", (event) => event.key === "Escape" && this.text.blur());
    this.root.open = window.innerWidth > 820;
    this.root.append(h("summary", {}, h("h2", {}, "Comment, marks, variations")),
      h("div", { class: "row" }, ...this.marks, this.verdict, this.pen), this.text,
      h("div", { class: "row" }, this.promote, this.main, this.remove,
        button("Undo", () => acts.undo(), { title: "Undo the last change (z)" })));
  }

  show(tree: Tree, node: Node): void {
    if (this.node !== node || document.activeElement !== this.text) this.text.value = node.comment;
    [this.tree, this.node] = [tree, node];
    const isMove = Boolean(node.parent);
    OF_MOVES.forEach((nag, index) => {
      this.marks[index].setAttribute("aria-pressed", String(node.nags.includes(nag)));
      this.marks[index].disabled = !isMove;
    });
    this.verdict.value = String(node.nags.find((nag) => OF_POSITIONS.some(([known]) => known === nag)) ?? "");
    this.verdict.disabled = !isMove;
    const isMain = tree.isMain(node);
    this.promote.disabled = this.main.disabled = isMain;
    this.remove.disabled = !isMove;
  }

  focus(): void {
    this.root.open = true;
    this.text.focus();
  }

  toggle(nag: number): void {
    const node = this.node;
    if (!node?.parent) return;
    const isOn = node.nags.includes(nag);
    node.nags = [...node.nags.filter((other) => !OF_MOVES.includes(other)), ...(isOn ? [] : [nag])];
    this.tell();
  }

  private judge(): void {
    if (!this.node) return;
    const others = this.node.nags.filter((nag) => !OF_POSITIONS.some(([known]) => known === nag));
    this.node.nags = [...others, ...(this.verdict.value ? [Number(this.verdict.value)] : [])];
    this.tell();
  }

  private comment(): void {
    if (!this.node) return;
    this.node.comment = this.text.value.replace(/[{}]/g, "");
    this.tell();
  }

  private setDrawing(isOn: boolean): void {
    this.pen.setAttribute("aria-pressed", String(isOn));
    this.acts.draw(isOn);
  }

  private tell(): void {
    this.tree?.changed();
    this.acts.changed();
  }
}
