// White's expected points over a game, with mistakes marked; click to go there.

import { h } from "./dom";
import type { Verdict } from "./wire";

const SPACE = "http://www.w3.org/2000/svg";
export const SIGNS = { "": "", inaccuracy: "?!", mistake: "?", blunder: "??" };
const WIDE = 600;
const HIGH = 110;

export class Graph {
  readonly root = h("div", { class: "graph" });
  onPick: (ply: number) => void = () => {};
  private plies = 0;

  constructor() {
    this.root.addEventListener("click", (event) => {
      const box = this.root.getBoundingClientRect();
      this.onPick(Math.round(((event.clientX - box.left) / box.width) * this.plies));
    });
  }

  show(plies: number, at: number, verdicts: Verdict[]): void {
    this.plies = plies;
    this.root.hidden = !verdicts.length;
    if (!verdicts.length) return;
    const x = (ply: number): number => (plies ? (ply / plies) * WIDE : 0);
    const y = (points: number): number => (1 - points) * HIGH;
    const known = [...verdicts].sort((one, other) => one.ply - other.ply);
    const path = known.map((verdict) => `${x(verdict.ply).toFixed(1)},${y(verdict.points).toFixed(1)}`).join(" L");
    const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
    svg.setAttribute("aria-label", told(known));
    svg.append(
      make("rect", { class: "below", x: x(known[0].ply), y: 0, width: x(known[known.length - 1].ply) - x(known[0].ply), height: HIGH }),
      make("path", { class: "area", d: `M${x(known[0].ply)},${HIGH} L${path} L${x(known[known.length - 1].ply)},${HIGH} Z` }),
      make("line", { class: "middle", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
      make("path", { class: "curve", d: `M${path}` }),
      make("line", { class: "here", x1: x(at), x2: x(at), y1: 0, y2: HIGH }),
    );
    const marks = known.filter((verdict) => verdict.judgement).map((verdict) => {
      const mark = h("span", { class: `mark ${verdict.judgement}`, title: toldOf(verdict) }, SIGNS[verdict.judgement]);
      mark.style.left = `${(x(verdict.ply) / WIDE) * 100}%`;
      mark.style.top = `${Math.min(Math.max((y(verdict.points) / HIGH) * 100, 12), 88)}%`;
      return mark;
    });
    this.root.replaceChildren(svg, ...marks);
  }
}

/** A review's mark in words, with how sure it is; empty where there is none. */
export function toldOf(verdict?: Verdict): string {
  return verdict?.judgement ? `${verdict.judgement}: ${verdict.certainty}` : "";
}

function told(known: Verdict[]): string {
  const blunders = known.filter((verdict) => verdict.judgement === "blunder").length;
  const mistakes = known.filter((verdict) => verdict.judgement === "mistake").length;
  return `White's chances over the game: ${blunders} blunders, ${mistakes} mistakes`;
}

function make(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
