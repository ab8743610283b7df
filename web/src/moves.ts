// A game's moves as a list to click through.

import { h } from "./dom";
import type { GameFacts } from "./wire";

export class MoveList {
  readonly root = h("ol", { class: "moves", "aria-label": "Moves" });
  onPick: (ply: number) => void = () => {};
  private shown = "";
  private at = -1;
  private buttons: HTMLButtonElement[] = [];

  /** Shows a game; what is shown already is left as it is, with its focus and where it was scrolled to. */
  show(game: GameFacts, at: number): void {
    const shown = [game.first, ...game.plies.map((ply) => ply.san)].join(" ");
    if (shown !== this.shown) this.build(game);
    if (shown !== this.shown || at !== this.at) this.mark(at);
    this.shown = shown;
  }

  private build(game: GameFacts): void {
    const rows: HTMLElement[] = [];
    let row: HTMLElement | undefined;
    this.buttons = game.plies.map((ply, index) => {
      const number = game.first + index;
      if (!row || number % 2 === 0) {
        row = h("li", {}, h("span", { class: "number" }, `${Math.floor(number / 2) + 1}.`));
        if (number % 2 === 1) row.append(h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      const move = h("button", { type: "button", class: "move", onclick: () => this.onPick(index + 1) }, ply.san);
      row.append(move);
      return move;
    });
    if (!rows.length) rows.push(h("li", { class: "empty" }, "No move yet."));
    this.root.replaceChildren(...rows);
  }

  private mark(at: number): void {
    this.at = at;
    this.buttons.forEach((move, index) => {
      if (index + 1 === at) move.setAttribute("aria-current", "true");
      else move.removeAttribute("aria-current");
    });
    scrollTo(this.root, this.buttons[at - 1]);
  }
}

/** Scrolls a list, and nothing else, so that one of its elements is in its middle. */
export function scrollTo(list: HTMLElement, current?: HTMLElement): void {
  const top = current ? current.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop : 0;
  list.scrollTop = top - list.clientHeight / 2;
}

/** A field for moves as one types them, so that no mouse is needed; shut until there is a position to move in. */
export class MoveField {
  readonly root: HTMLFormElement;
  private readonly field = h("input", {
    type: "text", maxLength: 12, placeholder: "e4, Nf3, e7e8q", "aria-label": "Type a move", autocomplete: "off",
    spellcheck: false, autocapitalize: "off", enterKeyHint: "go", disabled: true,
  });

  constructor(say: (text: string) => Promise<void>) {
    const { field } = this;
    this.root = h("form", {
      class: "typed",
      onsubmit: (event: Event) => {
        event.preventDefault();
        const text = field.value.trim();
        if (text) void say(text).then(() => (field.value = ""), () => field.select());
      },
    }, field, h("button", { type: "submit" }, "Move"));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") field.blur();
    });
  }

  open(): void {
    this.field.disabled = false;
  }

  focus(): void {
    this.field.focus();
  }
}
