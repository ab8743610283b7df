// The name of the opening that the line shown came through.

import type { Link } from "./link";
import { h } from "./dom";
import type { Told } from "./wire";

const PAUSE = 120; // ms a position must stand before it is asked for, so that walking costs no messages
const DEEPEST = 40; // plies; the table of names goes no deeper

export class Opening {
  readonly root = h("p", { class: "opening", hidden: true });
  private asked = "";
  private timer = 0;

  constructor(private readonly link: Link) {}

  show({ fen, chess960, moves }: Told): void {
    const told = { fen, chess960, moves: moves.slice(0, DEEPEST) };
    const key = JSON.stringify(told);
    if (this.asked === key) return;
    this.asked = key;
    window.clearTimeout(this.timer);
    if (!moves.length) this.root.hidden = true;
    else this.timer = window.setTimeout(() => this.ask(told, key), PAUSE);
  }

  private ask(told: Told, key: string): void {
    this.link.ask<{ eco?: string; name?: string }>("opening", told).then(({ eco, name }) => {
      if (this.asked !== key) return;
      this.root.textContent = name ? `${eco} ${name}` : "";
      this.root.hidden = !name;
    }).catch(() => (this.asked = ""));
  }
}
