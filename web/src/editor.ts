// The board editor: choose a man, tap squares; or drag men about. What comes out is a FEN.

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key, Piece } from "@lichess-org/chessground/types";
import { button, h } from "./dom";
import { fenIn } from "./fen";
import { START, positionOf } from "./rules";

const MEN = ["king", "queen", "rook", "bishop", "knight", "pawn"] as const;
const EMPTY = "8/8/8/8/8/8/8/8";

export class Editor {
  readonly root: HTMLDialogElement;
  private readonly host = h("div", { class: "cg-host" });
  private ground?: Api;
  private chosen: Piece | "none" | null = null;
  private readonly tools: HTMLButtonElement[] = [];
  private readonly turn = h("select", { "aria-label": "To move", onchange: () => this.tell() },
    h("option", { value: "w" }, "White to move"), h("option", { value: "b" }, "Black to move"));
  private readonly rights = [..."KQkq"].map((right) => h("input", {
    type: "checkbox", "aria-label": `${right < "a" ? "White" : "Black"} may castle ${/k/i.test(right) ? "short" : "long"}`, onchange: () => this.tell(),
  }));
  private readonly fen = h("input", { type: "text", "aria-label": "FEN", spellcheck: false, onchange: () => this.read(this.fen.value) });
  private readonly trouble = h("p", { class: "trouble", role: "alert" });

  constructor(private readonly take: (fen: string) => void) {
    const tool = (word: string, piece: Piece | "none" | null, props: object): HTMLButtonElement => {
      const made = button(word, () => this.choose(piece, made), { "aria-pressed": "false", ...props });
      this.tools.push(made);
      return made;
    };
    const palette = (["white", "black"] as const).map((color) => h("div", { class: "row palette cg-wrap" }, ...MEN.map((role) => {
      const made = tool("", { color, role }, { class: "choice", "aria-label": `${color} ${role}` });
      const man = document.createElement("piece");
      man.className = `${color} ${role}`;
      made.append(man);
      return made;
    })));
    this.root = h("dialog", { class: "editor", "aria-label": "Set up a position" },
      h("form", { onsubmit: (event: Event) => this.submit(event) },
        h("h2", {}, "Set up a position"),
        palette[1], h("div", { class: "board" }, this.host), palette[0],
        h("div", { class: "row" }, tool("Move men", null, {}), tool("Take off", "none", {}),
          button("Clear", () => this.read(`${EMPTY} w - - 0 1`)), button("Start position", () => this.read(START))),
        h("div", { class: "row" }, this.turn, ...this.rights.map((box, index) => h("label", { class: "row" }, box, `${"KQkq"[index]}`))),
        this.fen, this.trouble,
        h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Analyse"), button("Cancel", () => this.root.close()))));
  }

  open(fen: string): void {
    this.root.showModal();
    this.ground ??= Chessground(this.host, {
      movable: { free: true, color: "both", showDests: false }, premovable: { enabled: false }, draggable: { deleteOnDropOff: true },
      drawable: { enabled: false }, highlight: { lastMove: false }, animation: { enabled: false },
      events: { select: (key) => this.put(key), change: () => this.tell() },
    });
    this.choose(null, this.tools[12]);
    this.read(fen);
    this.ground.redrawAll();
  }

  private choose(piece: Piece | "none" | null, by: HTMLButtonElement): void {
    this.chosen = piece;
    for (const tool of this.tools) tool.setAttribute("aria-pressed", String(tool === by));
    this.ground?.set({ draggable: { enabled: piece === null }, movable: { color: piece === null ? "both" : undefined } });
  }

  private put(key: Key): void {
    if (this.chosen === null || !this.ground) return;
    const there = this.ground.state.pieces.get(key);
    const isSame = this.chosen !== "none" && there?.role === this.chosen.role && there.color === this.chosen.color;
    this.ground.selectSquare(null);
    this.ground.setPieces(new Map([[key, this.chosen === "none" || isSame ? undefined : this.chosen]]));
    this.tell();
  }

  private read(text: string): void {
    const [board, turn, castling] = (fenIn(text) ?? text).split(" ");
    this.ground?.set({ fen: board });
    this.turn.value = turn === "b" ? "b" : "w";
    this.rights.forEach((box, index) => (box.checked = (castling ?? "").includes("KQkq"[index])));
    this.tell();
  }

  /** Writes the FEN of what stands there, and what is wrong with it. */
  private tell(): void {
    const rights = this.rights.map((box, index) => (box.checked ? "KQkq"[index] : "")).join("");
    this.fen.value = `${this.ground?.getFen() ?? EMPTY} ${this.turn.value} ${rights || "-"} - 0 1`;
    this.trouble.textContent = "";
  }

  private submit(event: Event): void {
    event.preventDefault();
    try {
      positionOf(this.fen.value);
      this.root.close();
      this.take(this.fen.value);
    } catch (error) {
      this.trouble.textContent = (error as Error).message;
    }
  }
}
