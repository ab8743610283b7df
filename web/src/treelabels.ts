// How a node of the tree and its links are drawn as SVG, and how wide their text is.

import type { HierarchyPointNode } from "d3-hierarchy";
import { escaped } from "./dom";
import { ROOT, type TreeNode, valueText } from "./treenode";

export interface Place { x: number; y: number }

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

export function widest(nodes: TreeNode[]): number {
  return nodes.reduce((most, node) => Math.max(most, labelOf(node).width), 0);
}

/** What stands behind a node's sign, and how wide it is with it: links begin behind it. */
export function labelOf(node: TreeNode): { score: string; more: string; width: number } {
  const score = node.reason.is_skip ? "" : valueText(node.score);
  const hidden = node.isFolded ? node.size - 1 + node.hidden : node.hidden;
  const more = hidden ? `+${hidden.toLocaleString("en")}` : "";
  const words = widthOf(node.san || ROOT, node.isLine ? "700 13px" : "500 13px");
  const values = (score && 5 + widthOf(score, "400 13px")) || 0;
  const badge = (more && 5 + widthOf(more, "600 11px")) || 0;
  return { score, more, width: 20 + words + values + badge };
}

export function onDisc(angle: number, radius: number): Place {
  return { x: radius * Math.cos(angle - Math.PI / 2), y: radius * Math.sin(angle - Math.PI / 2) };
}

export function linkKind(node: TreeNode): string {
  return node.isLine ? "link line" : node.reason.is_skip ? "link skip" : "link";
}

/** A link of a disc, from ring to ring. */
export function rayText(from: HierarchyPointNode<TreeNode>, to: HierarchyPointNode<TreeNode>): string {
  const middle = (from.y + to.y) / 2;
  const points = [onDisc(from.x, from.y), onDisc(from.x, middle), onDisc(to.x, middle), onDisc(to.x, to.y)];
  const [start, ...rest] = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`);
  return `M${start}C${rest.join(" ")}`;
}

export function linkText(from: HierarchyPointNode<TreeNode>, to: HierarchyPointNode<TreeNode>): string {
  const end = to.y - 11;
  const start = Math.min(from.y + labelOf(from.data).width, end - 14);
  const middle = (start + end) / 2;
  return `M${start},${from.x}C${middle},${from.x} ${middle},${to.x} ${end},${to.x}`;
}

/** A node with its sign and its words. */
export function nodeText(node: TreeNode, place: Place, classes: string): string {
  const isSkip = node.reason.is_skip;
  const shape = isSkip ? '<rect x="-7" y="-7" width="14" height="14" rx="3"/>' : '<circle r="9.5"/>';
  const expanded = node.children.length ? ` aria-expanded="${!node.isFolded}"` : "";
  const { score, more, width } = labelOf(node);
  const shown = [node.family.sign, node.san || ROOT, score, more].filter(Boolean).join(" "); // a name holds what is seen
  const value = score && `<tspan class="value" dx="5"> ${score}</tspan>`;
  const badge = more && `<tspan class="more" dx="5"> ${more}</tspan>`;
  return (
    `<g class="node ${node.family.key}${isSkip ? " skip" : ""}${node.isLine ? " line" : ""}${classes}" ` +
    `id="node-${node.id}" data-id="${node.id}" transform="translate(${place.x.toFixed(1)},${place.y.toFixed(1)})" role="treeitem" ` +
    `aria-level="${node.depth + 1}"${expanded} aria-label="${escaped(`${shown}: ${node.reason.meaning}`)}">` +
    `<rect class="hit" x="-13" y="-13" width="${width + 14}" height="26"/>${shape}<text class="sign" y="4">${node.family.sign}</text> ` +
    `<text class="label" x="15" y="4">${escaped(node.san || ROOT)}${value}${badge}</text></g>`
  );
}
