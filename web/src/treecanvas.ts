// A tree seen from far: dots and links on a canvas, and words wherever there is room for them.

import { type Place, labelOf } from "./treelabels";
import type { TreeNode } from "./treenode";

export interface View { k: number; x: number; y: number; width: number; height: number }
export interface Point { node: TreeNode; place: Place }

const DOT = 2; // px of the smallest dot
const SIGN = 9.5; // px of a node as it is drawn from near
const SQUARE = 3; // px below which nobody tells a square from a disc
const MOST_WORDS = 160; // labels at once
const HIGH = 22; // px of a label
const LEFT = 13; // px of a label before its node
const CELL = 64; // px; labels are looked for in the cells they touch
const NEAR = 12; // px around a pointer in which the nearest node is meant

export class TreeCanvas {
  readonly root = document.createElement("canvas");
  private points: Point[] = [];
  private links: [kind: string, path: Path2D][] = [];
  private byWeight: Point[] = [];
  private byColour = new Map<string, Point[]>();

  /** Takes what is to be drawn; those that matter most get their words first. */
  take(points: Point[], links: Record<string, string[]>): void {
    this.points = points;
    this.links = Object.entries(links).map(([kind, drawn]) => [kind, new Path2D(drawn.join(""))]);
    this.byColour = new Map();
    for (const point of points) {
      const { key } = point.node.family;
      if (!this.byColour.has(key)) this.byColour.set(key, []);
      this.byColour.get(key)!.push(point);
    }
    this.byWeight = [...points].sort((one, other) => Number(other.node.isLine) - Number(one.node.isLine) || other.node.size - one.node.size);
  }

  clear(): void {
    this.root.width = this.root.height = 0;
  }

  paint(view: View, isMatch: (node: TreeNode) => boolean, selected?: TreeNode): void {
    const { k, x, y, width, height } = view;
    const ratio = window.devicePixelRatio || 1;
    const style = getComputedStyle(this.root);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    if (this.root.width !== Math.round(width * ratio)) this.root.width = Math.round(width * ratio);
    if (this.root.height !== Math.round(height * ratio)) this.root.height = Math.round(height * ratio);
    const pen = this.root.getContext("2d")!;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.root.width, this.root.height);
    pen.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
    for (const [kind, path] of this.links) {
      const isLine = kind === "link line";
      pen.strokeStyle = colour(isLine ? "accent" : "soft");
      pen.globalAlpha = isLine ? 1 : 0.4;
      pen.lineWidth = (isLine ? 2.5 : 0.7) / k;
      pen.stroke(path);
    }
    pen.globalAlpha = 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const size = Math.min(Math.max(DOT, SIGN * k), SIGN);
    const isTiny = size < SQUARE;
    pen.fillStyle = colour("accent");
    for (const { node, place } of this.points) {
      if (isMatch(node) || node === selected) pen.fillRect(place.x * k + x - size - 2, place.y * k + y - size - 2, 2 * size + 4, 2 * size + 4);
    }
    // One path for each colour: a fill costs more than a dot.
    for (const [key, points] of this.byColour) {
      pen.fillStyle = colour(key);
      pen.beginPath();
      for (const { node, place } of points) {
        const [left, top] = [place.x * k + x, place.y * k + y];
        if (left < -SIGN || top < -SIGN || left > width + SIGN || top > height + SIGN) continue;
        if (isTiny || node.reason.is_skip) pen.rect(left - size * 0.8, top - size * 0.8, size * 1.6, size * 1.6);
        else {
          pen.moveTo(left + size, top);
          pen.arc(left, top, size, 0, 2 * Math.PI);
        }
      }
      pen.fill();
    }
  }

  /** The nodes that have room for their words, with their places on the screen: first what is asked for, then the largest. */
  named(view: View, first: TreeNode[]): Point[] {
    const { k, x, y, width, height } = view;
    const cells = new Map<string, Place[]>();
    const found: Point[] = [];
    const ends = new Map<Place, number>();
    const put = ({ node, place }: Point): void => {
      const spot = { x: place.x * k + x, y: place.y * k + y };
      if (spot.x < LEFT || spot.y < HIGH / 2 || spot.y > height - HIGH / 2 || spot.x > width - LEFT) return;
      const here = cells.get(`${Math.floor(spot.x / CELL)},${Math.floor(spot.y / CELL)}`);
      if (here?.some((other) => Math.abs(other.y - spot.y) < HIGH && other.x - LEFT < spot.x && spot.x < ends.get(other)!)) return; // cheap, and mostly so
      const end = spot.x + labelOf(node).width + 4;
      const touched: string[] = [];
      for (let column = Math.floor((spot.x - LEFT) / CELL); column <= Math.floor(end / CELL); column++) {
        for (let row = Math.floor((spot.y - HIGH) / CELL); row <= Math.floor((spot.y + HIGH) / CELL); row++) touched.push(`${column},${row}`);
      }
      const isTaken = touched.some((cell) => cells.get(cell)?.some((other) =>
        Math.abs(other.y - spot.y) < HIGH && other.x - LEFT < end && spot.x - LEFT < ends.get(other)!));
      if (isTaken || end > width) return;
      ends.set(spot, end);
      for (const cell of touched) cells.set(cell, [...(cells.get(cell) ?? []), spot]);
      found.push({ node, place: spot });
    };
    const wanted = new Set(first);
    if (wanted.size) this.points.filter(({ node }) => wanted.has(node)).forEach((point) => found.length < MOST_WORDS && put(point));
    for (const point of this.byWeight) {
      if (found.length >= MOST_WORDS) break;
      if (!wanted.has(point.node)) put(point);
    }
    return found;
  }

  /** The node nearest to a point of the screen, if there is one close by. */
  nearest(view: View, left: number, top: number): TreeNode | undefined {
    const [px, py, reach] = [(left - view.x) / view.k, (top - view.y) / view.k, NEAR / view.k];
    let [best, found]: [number, TreeNode | undefined] = [reach * reach, undefined];
    for (const { node, place } of this.points) {
      const distance = (place.x - px) ** 2 + (place.y - py) ** 2;
      if (distance < best) [best, found] = [distance, node];
    }
    return found;
  }
}
