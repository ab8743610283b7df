// The board: chessground, with a choice for promotions.

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import { button, h } from "./dom";
import type { Colour } from "./wire";

export interface View {
  board: string; turn: Colour; last?: string; check?: boolean; dests?: Record<string, string[]>; movable?: Colour | "both";
  arrows?: { uci: string; brush: string }[];
}

const PIECES = [["queen", "q"], ["knight", "n"], ["rook", "r"], ["bishop", "b"]] as const;
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  readonly root = h("div", { class: "board" });
  onMove: (uci: string) => void = () => {};
  private readonly ground: Api;
  private readonly ask = h("div", { class: "promotion", role: "dialog", "aria-label": "Promote to", hidden: true });
  private view: View = { board: "8/8/8/8/8/8/8/8", turn: "white" };

  constructor(name: string) {
    const host = h("div", { class: "cg-host" });
    this.root.append(host, this.ask);
    this.root.setAttribute("aria-label", name);
    this.ground = Chessground(host, {
      animation: { enabled: !STILL, duration: 180 },
      movable: { free: false, showDests: true, rookCastle: true, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      highlight: { lastMove: true, check: true },
      drawable: { enabled: true },
      coordinates: true,
    });
    this.ask.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancel();
    });
  }

  get side(): Colour {
    return this.ground.state.orientation;
  }

  turn(side: Colour): void {
    if (this.side !== side) this.ground.set({ orientation: side });
  }

  show(view: View): void {
    this.view = view;
    this.ask.hidden = true;
    const dests = new Map(Object.entries(view.dests ?? {})) as Map<Key, Key[]>;
    this.ground.set({
      fen: view.board,
      turnColor: view.turn,
      lastMove: view.last ? ([view.last.slice(0, 2), view.last.slice(2, 4)] as Key[]) : undefined,
      check: view.check ? view.turn : false,
      movable: { color: view.movable, dests },
      viewOnly: view.movable === undefined,
    });
    this.ground.setAutoShapes(
      (view.arrows ?? []).map(({ uci, brush }) => ({ orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush })),
    );
  }

  redraw(): void {
    this.ground.redrawAll();
  }

  private moved(from: Key, to: Key): void {
    const piece = this.ground.state.pieces.get(to);
    if (piece?.role === "pawn" && /[18]/.test(to[1])) this.choose(from, to, piece.color);
    else this.onMove(from + to);
  }

  private choose(from: Key, to: Key, colour: Colour): void {
    const buttons = PIECES.map(([role, letter]) =>
      button("", () => this.onMove(from + to + letter), {
        class: `cg-wrap choice ${role}`, "aria-label": role, title: role,
      }),
    );
    for (const [index, [role]] of PIECES.entries()) {
      const piece = document.createElement("piece");
      piece.className = `${colour} ${role}`;
      buttons[index].append(piece);
    }
    this.ask.replaceChildren(h("span", {}, "Promote to"), ...buttons, button("Cancel", () => this.cancel()));
    this.ask.hidden = false;
    buttons[0].focus();
  }

  private cancel(): void {
    this.show(this.view);
  }
}
