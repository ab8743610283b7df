// The dialog for a new game: side, strength, clock, and a position to begin from.

import type { TimeControl } from "./clocks";
import { button, h } from "./dom";
import type { Link } from "./link";
import { randomStart } from "./rules";
import type { Colour, GameFacts, Hello } from "./wire";

export interface Settings { side: Colour; elo: number; clock: TimeControl | null }

const CLOCKS: [string, TimeControl | null][] = [
  ["No clock", null],
  ["1+0", { initial: 60_000, increment: 0 }],
  ["3+2", { initial: 180_000, increment: 2000 }],
  ["5+3", { initial: 300_000, increment: 3000 }],
  ["10+0", { initial: 600_000, increment: 0 }],
  ["15+10", { initial: 900_000, increment: 10_000 }],
];

export function strengthText(elo: number): string {
  return elo ? `about ${elo}` : "full strength";
}

export class NewGame {
  readonly root: HTMLDialogElement;
  private readonly side = h("select", { "aria-label": "Your side" },
    ...[["white", "White"], ["black", "Black"], ["random", "Either"]].map(([value, word]) => h("option", { value }, word)));
  private readonly clock = h("select", { "aria-label": "Clock" }, ...CLOCKS.map(([word], index) => h("option", { value: String(index) }, word)));
  private readonly strength: HTMLInputElement;
  private readonly shown = h("output", {});
  private readonly fen = h("input", { type: "text", maxLength: 200, placeholder: "the usual start", spellcheck: false, "aria-label": "FEN" });
  private readonly chess960 = h("input", { type: "checkbox" });
  private readonly trouble = h("p", { class: "trouble", role: "alert" });

  constructor(private readonly link: Link, hello: Hello, private readonly start: (game: GameFacts, settings: Settings) => void) {
    const [low, high] = hello.elo;
    // One step beyond the scale is the engine as it is.
    this.strength = h("input", {
      type: "range", min: String(low), max: String(high + 100), step: "100", value: "1500", "aria-label": "Strength",
      oninput: () => this.showStrength(),
    });
    this.root = h("dialog", { "aria-label": "New game" },
      h("form", { onsubmit: (event: Event) => this.submit(event) },
        h("h2", {}, "New game"),
        h("div", { class: "fields" },
          h("label", {}, h("span", {}, "You play"), this.side),
          h("label", {}, h("span", {}, "Clock"), this.clock),
          h("label", { class: "wide" }, h("span", {}, "Strength ", this.shown), this.strength),
          h("label", { class: "wide" }, h("span", {}, "From this FEN"), this.fen),
          h("label", { class: "wide row" }, this.chess960, "Chess960, random start"),
        ),
        this.trouble,
        h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Start"), button("Cancel", () => this.root.close())),
      ),
    );
    this.showStrength();
  }

  open(): void {
    this.trouble.textContent = "";
    this.root.showModal();
  }

  private get elo(): number {
    const elo = Number(this.strength.value);
    return elo === Number(this.strength.max) ? 0 : elo;
  }

  private showStrength(): void {
    this.shown.textContent = strengthText(this.elo);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const side = this.side.value === "random" ? (Math.random() < 0.5 ? "white" : "black") : (this.side.value as Colour);
    const settings = { side, elo: this.elo, clock: CLOCKS[Number(this.clock.value)][1] };
    const fen = this.fen.value.trim() || (this.chess960.checked ? randomStart() : "");
    this.link.ask<GameFacts>("position", { ...(fen ? { fen } : {}), chess960: this.chess960.checked }).then(
      (game) => {
        this.root.close();
        this.start(game, settings);
      },
      (error: Error) => (this.trouble.textContent = error.message),
    );
  }
}
