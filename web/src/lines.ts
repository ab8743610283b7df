// The engine's lines, changed in place as they grow; a small board shows the move that is pointed at.

import { Board } from "./board";
import { h, scoreText } from "./dom";
import type { Colour, LineFacts, Ply } from "./wire";

const SIDE = 220; // px of the small board

export class Lines {
  readonly root = h("ol", { class: "lines", "aria-label": "Lines of the engine" });
  readonly preview = h("div", { class: "preview", hidden: true });
  onPlay: (line: LineFacts, count: number) => void = () => {};
  private readonly board = new Board("The position pointed at");
  private lines: LineFacts[] = [];
  private first = 0;
  private isHeld = false;
  private late?: () => void;

  constructor() {
    this.preview.setAttribute("aria-hidden", "true");
    this.preview.append(this.board.root);
    this.root.addEventListener("click", (event) => this.pick(event, (line, index) => this.onPlay(line, index + 1)));
    // While a button of the mouse is down nothing moves under it.
    this.root.addEventListener("pointerdown", () => (this.isHeld = true));
    window.addEventListener("pointerup", () => window.setTimeout(() => this.release()));
    window.addEventListener("pointercancel", () => this.release());
    this.root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(event));
    this.root.addEventListener("pointerleave", () => this.hide());
    this.root.addEventListener("focusin", (event) => (event.target as Element).matches(":focus-visible") && this.point(event));
    this.root.addEventListener("focusout", () => this.hide());
    this.root.addEventListener("keydown", (event) => this.walk(event));
  }

  /** Shows lines that begin after so many plies. */
  show(lines: LineFacts[], first: number, orientation: Colour): void {
    if (this.isHeld) {
      this.late = () => this.show(lines, first, orientation);
      return;
    }
    if (this.first !== first || !lines.length) this.hide();
    [this.lines, this.first] = [lines, first];
    this.board.turn(orientation);
    while (this.root.children.length > lines.length) this.root.lastElementChild!.remove();
    lines.forEach((line, index) => this.put(line, this.root.children[index] as HTMLElement ?? this.root.appendChild(emptyItem())));
  }

  /** Keeps room for so many lines, so that nothing below moves when they come. */
  reserve(count: number): void {
    this.root.style.setProperty("--lines", String(count));
  }

  private release(): void {
    this.isHeld = false;
    this.late?.();
    this.late = undefined;
  }

  private put(line: LineFacts, item: HTMLElement): void {
    const [score, moves] = item.children as unknown as [HTMLElement, HTMLElement];
    const isAhead = line.mate !== null ? line.mate > 0 : (line.cp ?? 0) >= 0;
    set(score, scoreText(line), isAhead ? "score ahead" : "score behind");
    while (moves.children.length > line.moves.length) moves.lastElementChild!.remove();
    line.moves.forEach((ply, index) => {
      const number = this.first + index;
      const label = number % 2 === 0 ? `${number / 2 + 1}.` : index === 0 ? `${(number + 1) / 2}…` : "";
      let move = moves.children[index] as HTMLElement | undefined;
      if (!move) {
        move = h("button", { type: "button", class: "move", title: "Play up to here", tabIndex: index ? -1 : 0 }, h("span", { class: "number" }), h("span", {}));
        moves.append(move);
      }
      set(move.children[0] as HTMLElement, label);
      set(move.children[1] as HTMLElement, ply.san);
    });
  }

  private pick(event: Event, act: (line: LineFacts, index: number, move: HTMLElement) => void): void {
    const move = (event.target as Element).closest<HTMLElement>(".move");
    const item = move?.closest("li");
    if (!move || !item) return;
    const line = this.lines[[...this.root.children].indexOf(item)];
    const index = [...move.parentElement!.children].indexOf(move);
    if (line?.moves[index]) act(line, index, move);
  }

  private point(event: Event): void {
    this.pick(event, (line, index, move) => {
      const { board, uci, check }: Ply = line.moves[index];
      const turn = (this.first + index + 1) % 2 ? "black" : "white";
      const box = move.getBoundingClientRect();
      this.preview.hidden = false;
      const below = box.bottom + 6 + SIDE < window.innerHeight;
      this.preview.style.left = `${Math.max(6, Math.min(box.left, window.innerWidth - SIDE - 6))}px`;
      this.preview.style.top = `${below ? box.bottom + 6 : Math.max(6, box.top - SIDE - 6)}px`;
      this.board.show({ board, turn, last: uci, check });
      this.board.redraw();
    });
  }

  private hide(): void {
    this.preview.hidden = true;
  }

  /** Arrows walk along a line and from line to line while it has the keyboard's focus. */
  private walk(event: KeyboardEvent): void {
    const move = (event.target as Element).closest<HTMLElement>(".move");
    const item = move?.closest("li");
    if (!move || !item) return;
    const across = { ArrowLeft: move.previousElementSibling, ArrowRight: move.nextElementSibling }[event.key];
    const along = { ArrowUp: item.previousElementSibling, ArrowDown: item.nextElementSibling }[event.key]?.querySelector(".move");
    const next = (across ?? along) as HTMLElement | null | undefined;
    if (!/^Arrow/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  }
}

function emptyItem(): HTMLElement {
  return h("li", {}, h("b", { class: "score" }), h("span", { class: "pv" }));
}

function set(element: HTMLElement, text: string, name?: string): void {
  if (element.textContent !== text) element.textContent = text;
  if (name !== undefined && element.className !== name) element.className = name;
}
