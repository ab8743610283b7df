// The tree of a quiescence search, drawn with d3-hierarchy: zoom, fold, walk by keys.

import { hierarchy, tree as layoutOf, type HierarchyPointNode } from "d3-hierarchy";
import { select } from "d3-selection";
import { type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { escaped, pawns } from "./dom";
import { type Family, familyOf } from "./reasons";
import type { Reason, TreeFacts, Value } from "./wire";

export interface TreeNode {
  id: number; parent: TreeNode | null; children: TreeNode[]; depth: number; isFolded: boolean; isLine: boolean; size: number;
  uci: string; san: string; score: Value; standPat: Value; alpha: Value; beta: Value; reason: Reason; family: Family;
  board: string; hidden: number;
}

const ROW = 27;
const COLUMN = 168;
const MARGIN = 24;
const FIRST_SHOWN = 60; // nodes unfolded at first
const READABLE = 0.5; // smallest scale at which labels can be read; below it they are left away

export function valueText(value: Value): string {
  return value === null ? "" : typeof value === "string" ? value.replace("-", "−") : pawns(value);
}

/** The nodes of a tree, built from its rows; folded so that a readable part is open. */
export function grown(facts: TreeFacts, reasons: Reason[]): TreeNode {
  const nodes: TreeNode[] = [];
  for (const [id, row] of facts.rows.entries()) {
    const [parentId, uci, san, score, standPat, alpha, beta, reasonNumber, board, hidden] = row;
    const parent = parentId < 0 ? null : nodes[parentId];
    const reason = reasons[reasonNumber];
    const node: TreeNode = {
      id, parent, children: [], depth: parent ? parent.depth + 1 : 0, isFolded: true, isLine: false, size: 1, uci, san,
      score, standPat, alpha, beta, reason, family: familyOf(reason.word), board, hidden,
    };
    parent?.children.push(node);
    nodes.push(node);
  }
  for (let index = nodes.length - 1; index > 0; index--) nodes[index].parent!.size += nodes[index].size + nodes[index].hidden;
  markLine(nodes[0], facts.line);
  unfoldSome(nodes[0]);
  return nodes[0];
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

export class TreeView {
  readonly svg: SVGSVGElement;
  onFocus: (node: TreeNode) => void = () => {};
  showSkips = true;
  private readonly canvas: SVGGElement;
  private readonly zoom: ZoomBehavior<SVGSVGElement, unknown>;
  private root?: TreeNode;
  private selected?: TreeNode;
  private readonly shown = new Map<number, HierarchyPointNode<TreeNode>>();

  constructor() {
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("class", "tree");
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "tree");
    this.svg.setAttribute("aria-label", "Tree of quiescence");
    this.canvas = document.createElementNS("http://www.w3.org/2000/svg", "g");
    this.svg.append(this.canvas);
    this.zoom = zoom<SVGSVGElement, unknown>().scaleExtent([0.03, 3]).on("zoom", (event) => {
      this.canvas.setAttribute("transform", String(event.transform));
      this.svg.classList.toggle("far", event.transform.k < READABLE);
    });
    select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("pointerover", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => this.selected && this.onFocus(this.selected));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  show(root: TreeNode): void {
    this.root = this.selected = root;
    this.draw();
    this.fit();
    this.onFocus(root);
  }

  /** How many nodes and moves are drawn now. */
  get count(): number {
    return this.shown.size;
  }

  foldAll(isFolded: boolean): void {
    const walk = (node: TreeNode): void => {
      node.isFolded = isFolded;
      node.children.forEach(walk);
    };
    if (!this.root) return;
    walk(this.root);
    this.root.isFolded = false;
    if (isFolded) this.selected = this.root;
    this.draw();
    this.fit();
  }

  by(factor: number): void {
    this.zoom.scaleBy(select(this.svg), factor);
  }

  /** Shows the whole of what is unfolded, or its beginning where the whole could not be read. */
  fit(): void {
    const points = [...this.shown.values()];
    if (!points.length) return;
    const low = Math.min(...points.map((point) => point.x)) - MARGIN;
    const high = Math.max(...points.map((point) => point.x)) + MARGIN;
    const wide = Math.max(...points.map((point) => point.y)) + COLUMN + MARGIN;
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!width) return;
    const scale = Math.min(1.1, width / (wide + MARGIN), height / (high - low));
    const kept = scale < READABLE * 0.6 ? scale : Math.max(scale, Math.min(0.7, scale * 2));
    const top = kept === scale ? (height - (high + low) * scale) / 2 : height / 2 - this.at(this.root!) * kept;
    this.move(kept, MARGIN * kept, top);
  }

  private at(node: TreeNode): number {
    return this.shown.get(node.id)?.x ?? 0;
  }

  private move(scale: number, x: number, y: number): void {
    this.zoom.transform(select(this.svg), zoomIdentity.translate(x, y).scale(scale));
  }

  draw(): void {
    if (!this.root) return;
    const open = (node: TreeNode): TreeNode[] =>
      node.isFolded ? [] : this.showSkips ? node.children : node.children.filter((child) => !child.reason.is_skip);
    const laid = layoutOf<TreeNode>().nodeSize([ROW, COLUMN]).separation(() => 1)(hierarchy(this.root, open));
    this.shown.clear();
    const links: string[] = [];
    const nodes: string[] = [];
    laid.each((point) => {
      this.shown.set(point.data.id, point);
      if (point.parent) links.push(linkText(point.parent, point));
      nodes.push(nodeText(point, point.data === this.selected));
    });
    this.canvas.innerHTML = links.join("") + nodes.join("");
    this.mark();
  }

  private nodeAt(event: Event): TreeNode | undefined {
    const element = (event.target as Element).closest?.("[data-id]");
    return element ? this.shown.get(Number(element.getAttribute("data-id")))?.data : undefined;
  }

  private hovered(event: PointerEvent): void {
    const node = event.pointerType === "mouse" ? this.nodeAt(event) : undefined;
    if (node) this.onFocus(node);
  }

  private clicked(event: MouseEvent): void {
    const node = this.nodeAt(event);
    if (!node) return;
    this.select(node);
    if (node.children.length) this.toggle(node);
  }

  toggle(node: TreeNode): void {
    const before = this.shown.get(node.id);
    node.isFolded = !node.isFolded;
    this.draw();
    const after = this.shown.get(node.id);
    // What was clicked stays under the pointer.
    if (before && after) this.zoom.translateBy(select(this.svg), before.y - after.y, before.x - after.x);
  }

  private select(node: TreeNode): void {
    this.selected = node;
    this.mark();
    this.onFocus(node);
  }

  private mark(): void {
    this.canvas.querySelector(".selected")?.classList.remove("selected");
    const element = this.selected && this.canvas.querySelector(`[data-id="${this.selected.id}"]`);
    element?.classList.add("selected");
    this.svg.setAttribute("aria-activedescendant", element?.id ?? "");
  }

  private key(event: KeyboardEvent): void {
    const node = this.selected;
    if (!node) return;
    const siblings = (node.parent?.children ?? [node]).filter((other) => this.shown.has(other.id));
    const index = siblings.indexOf(node);
    const act: Record<string, () => void> = {
      ArrowLeft: () => (node.isFolded || !node.children.length ? node.parent && this.walk(node.parent) : this.toggle(node)),
      ArrowRight: () => (node.isFolded && node.children.length ? this.toggle(node) : node.children[0] && this.walk(node.children[0])),
      ArrowUp: () => index > 0 && this.walk(siblings[index - 1]),
      ArrowDown: () => index < siblings.length - 1 && this.walk(siblings[index + 1]),
      Enter: () => node.children.length && this.toggle(node),
      " ": () => node.children.length && this.toggle(node),
      "+": () => this.by(1.3),
      "-": () => this.by(1 / 1.3),
      "0": () => this.fit(),
    };
    if (!act[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    act[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  /** Selects a node and brings it into sight. */
  private walk(node: TreeNode): void {
    if (!this.shown.has(node.id)) return;
    this.select(node);
    const point = this.shown.get(node.id)!;
    const at = this.canvas.getCTM();
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!at) return;
    const x = point.y * at.a + at.e;
    const y = point.x * at.d + at.f;
    if (x < 0 || y < 10 || x > width - 120 || y > height - 10) this.zoom.translateTo(select(this.svg), point.y + 60, point.x);
  }
}

function linkText(from: HierarchyPointNode<TreeNode>, to: HierarchyPointNode<TreeNode>): string {
  const start = from.y + 11;
  const middle = from.y + COLUMN * 0.72;
  const kind = to.data.isLine ? "link line" : to.data.reason.is_skip ? "link skip" : "link";
  return `<path class="${kind}" d="M${start},${from.x} C${middle},${from.x} ${middle},${to.x} ${to.y - 11},${to.x}"/>`;
}

function nodeText(point: HierarchyPointNode<TreeNode>, isSelected: boolean): string {
  const node = point.data;
  const isSkip = node.reason.is_skip;
  const more = node.isFolded ? node.size - 1 + node.hidden : node.hidden;
  const shape = isSkip ? '<rect x="-7" y="-7" width="14" height="14" rx="3"/>' : '<circle r="9.5"/>';
  const score = isSkip ? "" : `<tspan class="value" dx="5">${valueText(node.score)}</tspan>`;
  const badge = more ? `<tspan class="more" dx="5">+${more}</tspan>` : "";
  const expanded = node.children.length ? ` aria-expanded="${!node.isFolded}"` : "";
  const said = escaped(`${node.san || "root"} ${valueText(node.score)}, ${node.reason.meaning}`);
  return (
    `<g class="node ${node.family.key}${isSkip ? " skip" : ""}${node.isLine ? " line" : ""}${isSelected ? " selected" : ""}" ` +
    `id="node-${node.id}" data-id="${node.id}" transform="translate(${point.y},${point.x})" role="treeitem" ` +
    `aria-level="${node.depth + 1}"${expanded} aria-label="${said}"><rect class="hit" x="-13" y="-13" width="${COLUMN - 20}" height="26"/>` +
    `${shape}<text class="sign" y="4">${node.family.sign}</text>` +
    `<text class="label" x="15" y="4">${escaped(node.san || "root")}${score}${badge}</text></g>`
  );
}
