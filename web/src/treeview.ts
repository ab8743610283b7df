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
const GAP = 40; // px for a link between the longest label of a ply and the next ply
const MARGIN = 24;
const FIRST_SHOWN = 32; // nodes unfolded at first
const READABLE = 0.5; // smallest scale at which labels can be read; below it they are left away
const MANY = 400; // nodes from which the tree is drawn as a disc, which shows the whole of it
const RING = 130; // px between the plies of a disc
const DOT = 2; // px of a node on a disc seen from far
const LEAF = 4; // px of a disc's rim for each node

const ROOT = "start";

interface Place { x: number; y: number }

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
  private isDisc = false;
  private reach = 0; // px that labels stand out to the right
  private readonly shown = new Map<number, TreeNode>();
  private readonly places = new Map<number, Place>();

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
      this.svg.style.setProperty("--dot", `${Math.min(Math.max(DOT / event.transform.k, 4), 24).toFixed(1)}px`);
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
    this.draw();
    this.fit();
    if (isFolded) this.select(this.root);
  }

  by(factor: number): void {
    this.zoom.scaleBy(select(this.svg), factor);
  }

  /** Shows the whole of what is unfolded, or where it could not be read, its beginning. */
  fit(): void {
    const places = [...this.places.values()];
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!places.length || !width) return;
    const right = this.isDisc ? MARGIN : this.reach + MARGIN;
    const [low, high] = [Math.min(...places.map((place) => place.y)) - MARGIN, Math.max(...places.map((place) => place.y)) + MARGIN];
    const [left, end] = [Math.min(...places.map((place) => place.x)) - MARGIN, Math.max(...places.map((place) => place.x)) + right];
    const scale = Math.min(1.1, width / (end - left), height / (high - low));
    if (this.isDisc || scale >= READABLE) this.move(scale, (width - (left + end) * scale) / 2, (height - (low + high) * scale) / 2);
    else this.move(READABLE, MARGIN, height / 2 - (this.root ? this.places.get(this.root.id)!.y : 0) * READABLE);
  }

  private move(scale: number, x: number, y: number): void {
    this.zoom.transform(select(this.svg), zoomIdentity.translate(x, y).scale(scale));
  }

  draw(): void {
    if (!this.root) return;
    const open = (node: TreeNode): TreeNode[] =>
      node.isFolded ? [] : this.showSkips ? node.children : node.children.filter((child) => !child.reason.is_skip);
    const top = hierarchy(this.root, open);
    const points = top.descendants();
    const count = points.length;
    this.isDisc = count > MANY;
    this.reach = this.isDisc ? 0 : widest(points.map((point) => point.data));
    const column = this.isDisc ? 0 : widest(points.filter((point) => point.children).map((point) => point.data)) + GAP;
    const laid = this.isDisc
      ? layoutOf<TreeNode>().size([2 * Math.PI, Math.max(top.height * RING, (count * LEAF) / (2 * Math.PI))])
          .separation((one, other) => (one.parent === other.parent ? 1 : 2) / Math.max(one.depth, 1))(top)
      : layoutOf<TreeNode>().nodeSize([ROW, column]).separation(() => 1)(top);
    this.shown.clear();
    this.places.clear();
    const links: Record<string, string[]> = { link: [], "link skip": [], "link line": [] };
    const nodes: string[] = [];
    laid.each((point) => {
      const place = this.isDisc ? onDisc(point.x, point.y) : { x: point.y, y: point.x };
      this.shown.set(point.data.id, point.data);
      this.places.set(point.data.id, place);
      if (point.parent) links[linkKind(point.data)].push(this.isDisc ? rayText(point.parent, point) : linkText(point.parent, point));
      nodes.push(nodeText(point.data, place, point.data === this.selected, this.isDisc));
    });
    this.svg.classList.toggle("disc", this.isDisc);
    // One path for all links of a kind: thousands of elements less to paint.
    const paths = Object.entries(links).map(([kind, drawn]) => `<path class="${kind}" d="${drawn.join("")}"/>`);
    this.canvas.innerHTML = paths.join("") + nodes.join("");
    this.mark();
  }

  private nodeAt(event: Event): TreeNode | undefined {
    const element = (event.target as Element).closest?.("[data-id]");
    return element ? this.shown.get(Number(element.getAttribute("data-id"))) : undefined;
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
    const before = this.places.get(node.id);
    const wasDisc = this.isDisc;
    node.isFolded = !node.isFolded;
    this.draw();
    const after = this.places.get(node.id);
    // What was clicked stays under the pointer.
    if (wasDisc !== this.isDisc) this.fit();
    else if (before && after) this.zoom.translateBy(select(this.svg), before.x - after.x, before.y - after.y);
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
    const child = node.children.find((other) => this.shown.has(other.id));
    const act: Record<string, () => void> = {
      ArrowLeft: () => (node.isFolded || !node.children.length ? node.parent && this.walk(node.parent) : this.toggle(node)),
      ArrowRight: () => (node.isFolded && node.children.length ? this.toggle(node) : child && this.walk(child)),
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
    const place = this.places.get(node.id)!;
    const at = this.canvas.getCTM();
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!at) return;
    const x = place.x * at.a + at.e;
    const y = place.y * at.d + at.f;
    if (x < 0 || y < 10 || x > width - 120 || y > height - 10) this.zoom.translateTo(select(this.svg), place.x + 60, place.y);
  }
}

function onDisc(angle: number, radius: number): Place {
  return { x: radius * Math.cos(angle - Math.PI / 2), y: radius * Math.sin(angle - Math.PI / 2) };
}

function linkKind(node: TreeNode): string {
  return node.isLine ? "link line" : node.reason.is_skip ? "link skip" : "link";
}

/** A link of a disc, from ring to ring. */
function rayText(from: HierarchyPointNode<TreeNode>, to: HierarchyPointNode<TreeNode>): string {
  const middle = (from.y + to.y) / 2;
  const points = [onDisc(from.x, from.y), onDisc(from.x, middle), onDisc(to.x, middle), onDisc(to.x, to.y)];
  const [start, ...rest] = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`);
  return `M${start}C${rest.join(" ")}`;
}

const pen = document.createElement("canvas").getContext("2d")!;
const widths = new Map<string, number>();

/** How wide a text is, in the fonts that style.css has for labels. */
function widthOf(text: string, font: string): number {
  const key = font + text;
  let width = widths.get(key);
  if (width === undefined) {
    pen.font = `${font} system-ui, sans-serif`;
    width = pen.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

function widest(nodes: TreeNode[]): number {
  return nodes.reduce((most, node) => Math.max(most, labelOf(node).width), 0);
}

function scoreOf(node: TreeNode): string {
  return node.reason.is_skip ? "" : valueText(node.score);
}

/** What stands behind a node's sign, and how wide it is with it: links begin behind it. */
function labelOf(node: TreeNode): { score: string; more: string; width: number } {
  const score = scoreOf(node);
  const hidden = node.isFolded ? node.size - 1 + node.hidden : node.hidden;
  const more = hidden ? `+${hidden}` : "";
  const words = widthOf(node.san || ROOT, node.isLine ? "700 13px" : "500 13px");
  const values = (score && 5 + widthOf(score, "400 13px")) || 0;
  const badge = (more && 5 + widthOf(more, "600 11px")) || 0;
  return { score, more, width: 20 + words + values + badge };
}

function linkText(from: HierarchyPointNode<TreeNode>, to: HierarchyPointNode<TreeNode>): string {
  const end = to.y - 11;
  const start = Math.min(from.y + labelOf(from.data).width, end - 14);
  const middle = (start + end) / 2;
  return `M${start},${from.x}C${middle},${from.x} ${middle},${to.x} ${end},${to.x}`;
}

function nodeText(node: TreeNode, place: Place, isSelected: boolean, isDisc: boolean): string {
  const isSkip = node.reason.is_skip;
  const shape = isSkip ? '<rect x="-7" y="-7" width="14" height="14" rx="3"/>' : '<circle r="9.5"/>';
  const expanded = node.children.length ? ` aria-expanded="${!node.isFolded}"` : "";
  const { score, more, width } = labelOf(node);
  const shown = [node.family.sign, node.san || ROOT, score, more].filter(Boolean).join(" "); // a name holds what is seen
  const said = escaped(`${isDisc ? `${node.san || ROOT} ${score}` : shown}: ${node.reason.meaning}`);
  const head =
    `<g class="node ${node.family.key}${isSkip ? " skip" : ""}${node.isLine ? " line" : ""}${isSelected ? " selected" : ""}" ` +
    `id="node-${node.id}" data-id="${node.id}" transform="translate(${place.x.toFixed(1)},${place.y.toFixed(1)})" role="treeitem" ` +
    `aria-level="${node.depth + 1}"${expanded} aria-label="${said}">`;
  if (isDisc) return `${head}${shape}</g>`;
  const value = score && `<tspan class="value" dx="5"> ${score}</tspan>`;
  const badge = more && `<tspan class="more" dx="5"> ${more}</tspan>`;
  return (
    `${head}<rect class="hit" x="-13" y="-13" width="${width + 14}" height="26"/>${shape}<text class="sign" y="4">${node.family.sign}</text> ` +
    `<text class="label" x="15" y="4">${escaped(node.san || ROOT)}${value}${badge}</text></g>`
  );
}
