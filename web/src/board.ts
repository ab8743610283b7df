// The board: chessground, with a choice for promotions.

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { button, h } from "./dom";
import { spokenBoard } from "./rules";
import type { Colour } from "./wire";

export interface View {
  board: string; turn: Colour; last?: string; check?: boolean; dests?: Record<string, string[]> | Map<string, string[]>; movable?: Colour | "both";
  arrows?: Arrow[]; shapes?: Shape[];
}
/** What is drawn of itself: the thicker, the better. */
export interface Arrow { uci: string; brush: string; width?: number }
/** What a person has drawn: an arrow, or a circle where both squares are the same. */
export interface Shape { from: string; to: string; colour: string }

const PIECES = [["queen", "q"], ["knight", "n"], ["rook", "r"], ["bishop", "b"]] as const;
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  readonly root = h("div", { class: "board" });
  onMove: (uci: string) => void = () => {};
  onDraw: (shapes: Shape[]) => void = () => {};
  private isDrawing = false;
  private drawnFrom?: Key;
  private isErasing = false; // a plain click, which would take all that is drawn away
  private readonly ground: Api;
  private readonly text = h("p", { class: "heard" });
  private readonly ask = h("div", { class: "promotion", role: "dialog", "aria-label": "Promote to", hidden: true });
  private view: View = { board: "8/8/8/8/8/8/8/8", turn: "white" };

  constructor(name: string) {
    const host = h("div", { class: "cg-host", "aria-hidden": "true" }); // who listens has the text, and types moves
    this.root.append(host, this.text, this.ask);
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", name);
    this.ground = Chessground(host, {
      animation: { enabled: !STILL, duration: 180 },
      movable: { free: false, showDests: true, rookCastle: true, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      highlight: { lastMove: true, check: true },
      drawable: { enabled: true, eraseOnMovablePieceClick: false, onChange: (shapes) => this.changed(shapes) },
      events: { select: (key) => this.tapped(key) },
      coordinates: true,
    });
    host.addEventListener("pointerdown", (event) => (this.isErasing = event.button === 0 && !event.shiftKey), true);
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
    if (view.board !== this.view.board) this.text.textContent = spokenBoard(view.board);
    this.view = view;
    this.ask.hidden = true;
    const dests = (view.dests instanceof Map ? view.dests : new Map(Object.entries(view.dests ?? {}))) as Map<Key, Key[]>;
    this.ground.set({
      fen: view.board,
      turnColor: view.turn,
      lastMove: view.last ? ([view.last.slice(0, 2), view.last.slice(2, 4)] as Key[]) : undefined,
      check: view.check ? view.turn : false,
      movable: { color: this.isDrawing ? undefined : view.movable, dests },
      viewOnly: view.movable === undefined && !this.isDrawing && !view.shapes,
    });
    this.drawShapes();
    this.arrows(view.arrows ?? []);
  }

  /** Draws arrows of itself anew, and nothing else. */
  arrows(arrows: Arrow[]): void {
    this.ground.setAutoShapes(arrows.map(({ uci, brush, width }) => (
      { orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush, modifiers: width ? { lineWidth: width } : undefined })));
  }

  /** While drawing, two taps make an arrow and two on one square a circle; for those without a right button. */
  draw(isDrawing: boolean): void {
    this.isDrawing = isDrawing;
    this.drawnFrom = undefined;
    this.root.classList.toggle("drawing", isDrawing);
    this.ground.selectSquare(null);
    this.show(this.view);
  }

  redraw(): void {
    this.ground.redrawAll();
  }

  private tapped(key: Key): void {
    if (!this.isDrawing) return;
    this.ground.selectSquare(null);
    const from = this.drawnFrom;
    this.drawnFrom = from ? undefined : key;
    if (!from) return;
    const shapes = this.view.shapes ?? [];
    const left = shapes.filter((shape) => shape.from !== from || shape.to !== key);
    const drawn = left.length < shapes.length ? left : [...shapes, { from, to: key, colour: "green" }];
    this.drawn(drawn.map(({ from: orig, to: dest, colour: brush }) => ({ orig: orig as Key, dest: dest as Key, brush })));
    this.show(this.view);
  }

  private changed(shapes: DrawShape[]): void {
    if (this.isErasing) queueMicrotask(() => this.drawShapes());
    else this.drawn(shapes);
  }

  private drawShapes(): void {
    this.ground.setShapes((this.view.shapes ?? []).map(({ from, to, colour }) => (
      { orig: from as Key, dest: from === to ? undefined : to as Key, brush: colour })));
  }

  private drawn(shapes: DrawShape[]): void {
    const told = shapes.map(({ orig, dest, brush }) => ({ from: orig, to: dest ?? orig, colour: brush ?? "green" }));
    this.view = { ...this.view, shapes: told };
    this.onDraw(told);
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
