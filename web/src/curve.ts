// Two scores over the depth of their searches, drawn as curves.

import { h, pawns } from "./dom";

export interface Depth { depth: number; cp: number | null; mate: number | null; nodes: number; san: string }

const WIDE = 640;
const HIGH = 170;
const EDGE = { left: 58, right: 18, top: 10, bottom: 22 };
const MOST = 1000; // centipawns; what is beyond is drawn at the edge
const LEAST = 100;
const SPACE = "http://www.w3.org/2000/svg";
const MOST_TICKS = 12;

export class Curve {
  readonly root = h("div", { class: "curves" });

  show(columns: Depth[][]): void {
    const all = columns.flat();
    this.root.hidden = !all.length;
    if (!all.length) return;
    const reach = Math.max(LEAST, Math.min(MOST, Math.max(...all.map((one) => Math.abs(value(one))))));
    const deepest = Math.max(...all.map(({ depth }) => depth));
    const x = (depth: number): number => EDGE.left + ((depth - 1) / Math.max(deepest - 1, 1)) * (WIDE - EDGE.left - EDGE.right);
    const y = (cp: number): number => EDGE.top + (0.5 - cp / reach / 2) * (HIGH - EDGE.top - EDGE.bottom);
    const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "White's score by depth, for A and B" });
    for (const cp of [-reach, 0, reach]) {
      svg.append(make("line", { class: "grid", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(cp), y2: y(cp) }),
        make("text", { class: "tick end", x: EDGE.left - 6, y: y(cp) + 4 }, cp ? pawns(cp).slice(0, -1) : "0"));
    }
    const step = Math.ceil(deepest / MOST_TICKS);
    for (let depth = 1; depth <= deepest; depth += step) svg.append(make("text", { class: "tick", x: x(depth), y: HIGH - 6 }, String(depth)));
    columns.forEach((column, index) => {
      const points = column.map((one) => [x(one.depth), y(Math.max(-reach, Math.min(reach, value(one))))]);
      const key = index ? "b" : "a";
      svg.append(make("path", { class: `score-line ${key}`, d: points.map(([left, top], at) => `${at ? "L" : "M"}${left.toFixed(1)},${top.toFixed(1)}`).join("") }));
      svg.append(...points.map(([left, top]) => index
        ? make("rect", { class: key, x: left - 3, y: top - 3, width: 6, height: 6 }) : make("circle", { class: key, cx: left, cy: top, r: 3 })));
    });
    this.root.replaceChildren(svg);
  }
}

function value({ cp, mate }: Depth): number {
  return mate !== null ? (mate > 0 ? MOST : -MOST) : cp ?? 0;
}

function make(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, one] of Object.entries(attributes)) element.setAttribute(name, String(one));
  element.textContent = text;
  return element;
}
