// A small board beside what is pointed at.

import { Board } from "./board";
import { h } from "./dom";
import type { Colour } from "./wire";

const SIDE = 220; // px of the board
const GAP = 6; // px between it and what is pointed at

export interface Shown { board: string; turn: Colour; last?: string; check: boolean }

export class Preview {
  private readonly board = new Board("The position pointed at");
  private readonly root = h("div", { class: "preview", hidden: true, "aria-hidden": "true" }, this.board.root);

  constructor() {
    document.body.append(this.root);
  }

  get isShown(): boolean {
    return !this.root.hidden;
  }

  turn(side: Colour): void {
    this.board.turn(side);
  }

  show(shown: Shown, box: DOMRect): void {
    this.root.hidden = false;
    const below = box.bottom + GAP + SIDE < window.innerHeight;
    this.root.style.left = `${Math.max(GAP, Math.min(box.left, window.innerWidth - SIDE - GAP))}px`;
    this.root.style.top = `${below ? box.bottom + GAP : Math.max(GAP, box.top - SIDE - GAP)}px`;
    this.board.show(shown);
    this.board.redraw();
  }

  hide(): void {
    this.root.hidden = true;
  }
}
