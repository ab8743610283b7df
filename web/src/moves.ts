// A game's moves as a list to click through.

import { h } from "./dom";
import type { GameFacts, Verdict } from "./wire";

export const SIGNS = { "": "", inaccuracy: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  readonly root = h("ol", { class: "moves", "aria-label": "Moves" });
  onPick: (ply: number) => void = () => {};

  show(game: GameFacts, at: number, verdicts: Map<number, Verdict> = new Map()): void {
    const rows: HTMLElement[] = [];
    let row: HTMLElement | undefined;
    game.plies.forEach((ply, index) => {
      const number = game.first + index;
      if (!row || number % 2 === 0) {
        row = h("li", {}, h("span", { class: "number" }, `${Math.floor(number / 2) + 1}.`));
        if (number % 2 === 1) row.append(h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      const { judgement = "", certainty = "" } = verdicts.get(index + 1) ?? {};
      row.append(
        h("button", {
          type: "button", class: `move ${judgement}`, "aria-current": index + 1 === at ? "true" : undefined,
          title: judgement && `${judgement}: ${certainty}`, onclick: () => this.onPick(index + 1),
        }, ply.san + SIGNS[judgement]),
      );
    });
    if (!rows.length) rows.push(h("li", { class: "empty" }, "No move yet."));
    this.root.replaceChildren(...rows);
    const current = this.root.querySelector<HTMLElement>("[aria-current]");
    if (current) this.root.scrollTop = current.offsetTop - this.root.clientHeight / 2;
    else this.root.scrollTop = 0;
  }
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
  }

  open(): void {
    this.field.disabled = false;
  }

  focus(): void {
    this.field.focus();
  }
}
