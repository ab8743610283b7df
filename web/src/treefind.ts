// A field that finds nodes of a tree by move or by how they ended, and walks through what was found.

import { button, h } from "./dom";
import { type TreeNode, answersTo } from "./treenode";
import type { TreeView } from "./treeview";

export class TreeFind {
  readonly root: HTMLElement;
  private readonly field = h("input", {
    type: "text", placeholder: "Find: Qxf7, delta, mate…", "aria-label": "Find in the tree", spellcheck: false, autocapitalize: "off", enterKeyHint: "search",
  });
  private readonly told = h("span", { class: "quiet", "aria-live": "polite" });
  private readonly walks = h("span", { class: "row", hidden: true },
    button("‹", () => this.walk(-1), { class: "icon", "aria-label": "The one before" }), button("›", () => this.walk(1), { class: "icon", "aria-label": "The next one" }));
  private count = 0;
  private at = -1;

  constructor(private readonly tree: TreeView) {
    this.root = h("div", { class: "row find" }, this.field, this.walks, this.told);
    this.field.addEventListener("input", () => this.search());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.walk(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") this.clear();
      else return;
      event.preventDefault();
    });
  }

  focus(): void {
    this.field.focus();
    this.field.select();
  }

  /** Looks for a word, as if it had been typed, and goes to the first node that answers. */
  say(word: string): void {
    this.field.value = word;
    this.search();
    this.walk(1);
  }

  /** Another tree is shown: the same word is looked for in it. */
  again(): void {
    if (this.field.value) this.search();
  }

  private clear(): void {
    this.field.value = "";
    this.search();
    this.field.blur();
  }

  private search(): void {
    const word = this.field.value.trim();
    this.at = -1;
    this.count = this.tree.find((node: TreeNode) => word !== "" && answersTo(node, word));
    this.tell(word);
  }

  private walk(step: number): void {
    if (!this.count) return;
    this.at = (Math.max(this.at, step < 0 ? 0 : -1) + step + this.count) % this.count;
    this.tree.visit(this.at);
    this.tell(this.field.value);
  }

  private tell(word: string): void {
    this.walks.hidden = !this.count;
    const all = this.count.toLocaleString("en");
    this.told.textContent = !word ? "" : !this.count ? "not found" : this.at < 0 ? `${all} found` : `${(this.at + 1).toLocaleString("en")} of ${all}`;
  }
}
