// The tree of a quiescence search, laid out with d3-hierarchy: zoom, fold, walk by keys, search.

import { hierarchy, tree as layoutOf } from "d3-hierarchy";
import { select } from "d3-selection";
import { type ZoomBehavior, zoom, zoomIdentity, zoomTransform } from "d3-zoom";
import { h } from "./dom";
import { TreeCanvas, type View } from "./treecanvas";
import { type Place, linkKind, linkText, nodeText, onDisc, rayText, widest } from "./treelabels";
import { type TreeNode, allOf } from "./treenode";

const ROW = 27;
const GAP = 40; // px for a link between the longest label of a ply and the next ply
const MARGIN = 24;
const READABLE = 0.5; // smallest scale at which all labels can be read; below it only some are drawn
const MANY = 400; // nodes from which the tree is drawn as a disc, which shows the whole of it
const RING = 130; // px between the plies of a disc
const LEAF = 4; // px of a disc's rim for each node

export class TreeView {
  readonly root = h("div", { class: "treeview" });
  readonly svg: SVGSVGElement;
  onFocus: (node: TreeNode) => void = () => {};
  showSkips = true;
  private readonly canvas: SVGGElement;
  private readonly zoom: ZoomBehavior<SVGSVGElement, unknown>;
  private readonly far = new TreeCanvas();
  private top?: TreeNode;
  private chosen?: TreeNode;
  private isDisc = false;
  private isFar = false; // the SVG holds some nodes at their places on the screen, the canvas behind it all
  private isDue = false;
  private found: TreeNode[] = [];
  private marked = new Set<TreeNode>();
  private pointed?: TreeNode;
  private near = ""; // the SVG of all nodes
  private reach = 0; // px that labels stand out to the right
  private readonly shown = new Map<number, TreeNode>();
  private readonly places = new Map<number, Place>();

  constructor(name = "Tree of quiescence") {
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("class", "tree");
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "tree");
    this.svg.setAttribute("aria-label", name);
    this.canvas = document.createElementNS("http://www.w3.org/2000/svg", "g");
    this.svg.append(this.canvas);
    this.root.append(this.far.root, this.svg as unknown as HTMLElement);
    this.zoom = zoom<SVGSVGElement, unknown>().scaleExtent([0.01, 3]).on("zoom", () => this.moved());
    select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("pointermove", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => this.chosen && this.onFocus(this.chosen));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  show(top: TreeNode): void {
    this.top = this.chosen = top;
    [this.found, this.marked] = [[], new Set()];
    this.draw();
    this.fit();
    this.onFocus(top);
  }

  /** The node that was clicked last, or walked to. */
  get selected(): TreeNode | undefined {
    return this.chosen;
  }

  /** Marks the nodes that answer; returns how many there are. */
  find(answers: (node: TreeNode) => boolean): number {
    this.found = this.top ? allOf(this.top).filter((node) => answers(node) && (this.showSkips || !node.reason.is_skip)) : [];
    this.marked = new Set(this.found);
    this.render();
    return this.found.length;
  }

  /** Goes to a node that was found, by its number, and opens what it is folded into. */
  visit(index: number): void {
    const node = this.found[index];
    if (!node) return;
    const wasDisc = this.isDisc;
    for (let above = node.parent; above; above = above.parent) above.isFolded = false;
    this.draw();
    if (wasDisc !== this.isDisc) this.fit();
    this.select(node);
    const place = this.places.get(node.id)!;
    this.zoom.translateTo(select(this.svg), place.x, place.y);
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
    if (!this.top) return;
    walk(this.top);
    this.top.isFolded = false;
    this.draw();
    this.fit();
    if (isFolded) this.select(this.top);
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
    else this.move(READABLE, MARGIN, height / 2 - (this.top ? this.places.get(this.top.id)!.y : 0) * READABLE);
  }

  private move(scale: number, x: number, y: number): void {
    this.zoom.transform(select(this.svg), zoomIdentity.translate(x, y).scale(scale));
  }

  draw(): void {
    if (!this.top) return;
    const open = (node: TreeNode): TreeNode[] =>
      node.isFolded ? [] : this.showSkips ? node.children : node.children.filter((child) => !child.reason.is_skip);
    const top = hierarchy(this.top, open);
    const points = top.descendants();
    const count = points.length;
    this.isDisc = count > MANY;
    this.reach = this.isDisc ? 0 : widest(points.map((point) => point.data));
    const column = this.isDisc ? 0 : widest(points.filter((point) => point.depth < top.height).map((point) => point.data)) + GAP;
    const laid = this.isDisc
      ? layoutOf<TreeNode>().size([2 * Math.PI, Math.max(top.height * RING, (count * LEAF) / (2 * Math.PI))])
          .separation((one, other) => (one.parent === other.parent ? 1 : 2) / Math.max(one.depth, 1))(top)
      : layoutOf<TreeNode>().nodeSize([ROW, column]).separation(() => 1)(top);
    this.shown.clear();
    this.places.clear();
    const links: Record<string, string[]> = { link: [], "link skip": [], "link line": [] };
    laid.each((point) => {
      const place = this.isDisc ? onDisc(point.x, point.y) : { x: point.y, y: point.x };
      this.shown.set(point.data.id, point.data);
      this.places.set(point.data.id, place);
      if (point.parent) links[linkKind(point.data)].push(this.isDisc ? rayText(point.parent, point) : linkText(point.parent, point));
    });
    this.far.take(points.map(({ data }) => ({ node: data, place: this.places.get(data.id)! })), links);
    // One path for all links of a kind: thousands of elements less to paint.
    this.near = this.isDisc ? "" : Object.entries(links).map(([kind, drawn]) => `<path class="${kind}" d="${drawn.join("")}"/>`).join("");
    this.render();
  }

  private get view(): View {
    const { k, x, y } = zoomTransform(this.svg);
    return { k, x, y, width: this.svg.clientWidth, height: this.svg.clientHeight };
  }

  private moved(): void {
    const { k } = this.view;
    if (this.isFar || this.isDisc || k < READABLE) this.renderSoon();
    else this.canvas.setAttribute("transform", String(zoomTransform(this.svg)));
  }

  /** At most once a frame. */
  private renderSoon(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => this.render());
  }

  /** Writes the nodes: all of them from near; from far those that have room for their words, over dots for all. */
  private render(): void {
    this.isDue = false;
    const { view } = this;
    this.isFar = this.isDisc || view.k < READABLE;
    this.svg.classList.toggle("far", this.isFar);
    if (this.isFar) {
      this.canvas.removeAttribute("transform");
      const first = [...(this.chosen && this.shown.has(this.chosen.id) ? [this.chosen] : []), ...this.found];
      this.far.paint(view, (node) => this.marked.has(node), this.chosen);
      this.canvas.innerHTML = this.far.named(view, first).map(({ node, place }) => nodeText(node, place, this.classes(node))).join("");
    } else {
      this.far.clear();
      this.canvas.setAttribute("transform", String(zoomTransform(this.svg)));
      this.canvas.innerHTML = this.near + [...this.shown.values()].map((node) => nodeText(node, this.places.get(node.id)!, this.classes(node))).join("");
    }
    this.svg.setAttribute("aria-activedescendant", this.canvas.querySelector(".selected")?.id ?? "");
  }

  private classes(node: TreeNode): string {
    return (node === this.chosen ? " selected" : "") + (this.marked.has(node) ? " match" : "");
  }

  private nodeAt(event: MouseEvent): TreeNode | undefined {
    const element = (event.target as Element).closest?.("[data-id]");
    if (element) return this.shown.get(Number(element.getAttribute("data-id")));
    const box = this.svg.getBoundingClientRect();
    return this.isFar ? this.far.nearest(this.view, event.clientX - box.left, event.clientY - box.top) : undefined;
  }

  private hovered(event: PointerEvent): void {
    const node = event.pointerType === "mouse" && !event.buttons ? this.nodeAt(event) : undefined;
    if (node && node !== this.pointed) this.onFocus(node);
    this.pointed = node;
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
    this.chosen = node;
    this.render();
    this.onFocus(node);
  }

  private key(event: KeyboardEvent): void {
    const node = this.chosen;
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
    const { view } = this;
    const { width, height } = view;
    const x = place.x * view.k + view.x;
    const y = place.y * view.k + view.y;
    if (x < 0 || y < 10 || x > width - 120 || y > height - 10) this.zoom.translateTo(select(this.svg), place.x + 60, place.y);
  }
}
