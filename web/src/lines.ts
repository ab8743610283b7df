// The engine's lines, changed in place as they grow; a small board shows the move that is pointed at.

import { h, scoreText } from "./dom";
import { Preview } from "./preview";
import type { Colour, LineFacts, Ply } from "./wire";

/** A line that is shown: its score and its moves. */
export type Shown = Pick<LineFacts, "cp" | "mate" | "moves"> & { depth?: number };

const LONG_PRESS = 350; // ms a finger rests on a move until it is shown instead of played

export class Lines {
  readonly root: HTMLElement;
  onPlay: (line: Shown, count: number) => void = () => {};
  onEnd?: (line: Shown) => void; // where there is a way from a line's end to its tree
  private readonly preview = new Preview();
  private lines: Shown[] = [];
  private first = 0;
  private isHeld = false;
  private late?: () => void;
  private press = 0;
  private isPeeking = false; // a finger rests on a move

  constructor(name = "Lines of the engine") {
    this.root = h("ol", { class: "lines", "aria-label": name });
    this.root.addEventListener("click", (event) => this.clicked(event));
    // While a button of the mouse is down nothing moves under it.
    this.root.addEventListener("pointerdown", (event) => {
      this.isHeld = true;
      this.isPeeking = false;
      if (event.pointerType === "touch") this.press = window.setTimeout(() => this.peek(event), LONG_PRESS);
    });
    this.root.addEventListener("contextmenu", (event) => this.isPeeking && event.preventDefault());
    window.addEventListener("pointerup", () => window.setTimeout(() => this.release()));
    window.addEventListener("pointercancel", () => this.release());
    this.root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(event));
    this.root.addEventListener("pointerleave", () => !this.isPeeking && this.hide());
    this.root.addEventListener("focusin", (event) => (event.target as Element).matches(":focus-visible") && this.point(event));
    this.root.addEventListener("focusout", () => this.hide());
    this.root.addEventListener("keydown", (event) => this.walk(event));
  }

  /** Shows lines that begin after so many plies. */
  show(lines: Shown[], first: number, orientation: Colour): void {
    if (this.isHeld) {
      this.late = () => this.show(lines, first, orientation);
      return;
    }
    if (this.first !== first || !lines.length) this.hide();
    [this.lines, this.first] = [lines, first];
    this.preview.turn(orientation);
    while (this.root.children.length > lines.length) this.root.lastElementChild!.remove();
    lines.forEach((line, index) => this.put(line, this.root.children[index] as HTMLElement ?? this.root.appendChild(this.emptyItem())));
  }

  /** Keeps room for so many lines, so that nothing below moves when they come. */
  reserve(count: number): void {
    this.root.style.setProperty("--lines", String(count));
  }

  /** A finger that rests shows the position, as a mouse does that points. */
  private peek(event: Event): void {
    this.isPeeking = true;
    this.point(event);
  }

  private clicked(event: Event): void {
    if (!this.isPeeking) this.pick(event, (line, index) => this.onPlay(line, index + 1));
  }

  private release(): void {
    window.clearTimeout(this.press);
    if (this.isPeeking) this.hide(); // a click that comes with it plays nothing
    this.isHeld = false;
    this.late?.();
    this.late = undefined;
  }

  private put(line: Shown, item: HTMLElement): void {
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

  private emptyItem(): HTMLElement {
    const item = h("li", {}, h("b", { class: "score" }), h("span", { class: "pv" }));
    if (this.onEnd) {
      item.append(h("button", {
        type: "button", class: "toTree", title: "The tree of quiescence where this line ends", "aria-label": "tree at the end of this line",
        onclick: () => this.onEnd?.(this.lines[[...this.root.children].indexOf(item)]),
      }, "tree"));
    }
    return item;
  }

  private pick(event: Event, act: (line: Shown, index: number, move: HTMLElement) => void): void {
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
      this.preview.show({ board, turn, last: uci, check }, move.getBoundingClientRect());
    });
  }

  private hide(): void {
    this.preview.hide();
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

function set(element: HTMLElement, text: string, name?: string): void {
  if (element.textContent !== text) element.textContent = text;
  if (name !== undefined && element.className !== name) element.className = name;
}
