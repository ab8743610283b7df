// What endgame tables say of the position shown, where the server has them.

import { h } from "./dom";
import type { App } from "./app";
import type { Told } from "./wire";

const PAUSE = 120; // ms a position must stand before it is asked for, so that walking costs no messages
const MOST_MEN = 7;
const SHOWN = 6; // moves that are named

export class Tables {
  readonly root = h("p", { class: "tables", hidden: true });
  private asked = "";
  private timer = 0;

  constructor(private readonly app: App) {}

  show(told: Told, fen: string): void {
    const men = fen.split(" ", 1)[0].replace(/[^a-z]/gi, "").length;
    const key = fen + told.moves.length;
    if (this.asked === key) return;
    this.asked = key;
    this.root.hidden = true;
    window.clearTimeout(this.timer);
    if (this.app.hello.tables && men <= MOST_MEN) this.timer = window.setTimeout(() => this.ask(told, fen, key), PAUSE);
  }

  private ask(told: Told, fen: string, key: string): void {
    void this.app.link.ask<{ result?: number; moves?: string[] }>("tables", told).then(({ result, moves }) => {
      if (this.asked !== key || result === undefined || !moves) return;
      const side = (fen.split(" ")[1] === "w") === (result > 0) ? "White" : "Black";
      const word = result === 0 ? "drawn" : Math.abs(result) < 1 ? `${side} wins but for the fifty-move rule: drawn` : `${side} wins`;
      const more = moves.length > SHOWN ? ` and ${moves.length - SHOWN} more` : "";
      this.root.textContent = `Tablebase: ${word}. ${moves.slice(0, SHOWN).join(", ")}${more}`;
      this.root.hidden = false;
    }).catch(() => (this.asked = ""));
  }
}
