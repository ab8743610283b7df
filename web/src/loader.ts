// A dialog that takes a FEN or a PGN, by typing, pasting or from a file, and gives the game the server reads from it.

import { button, h, toast } from "./dom";
import type { Link } from "./link";
import type { GameFacts } from "./wire";

const LONGEST = 50_000; // letters, as the server has it
const UNPRINTED = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g; // in a message each would be six letters long
const FEN = /^\s*[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){2,}/;

export class Loader {
  readonly root: HTMLDialogElement;
  private readonly text = h("textarea", {
    rows: 8, spellcheck: false, maxLength: LONGEST, "aria-label": "FEN or PGN", placeholder: "Paste a FEN or the PGN of a game",
  });
  private readonly chess960 = h("input", { type: "checkbox" });
  private readonly trouble = h("p", { class: "trouble", role: "alert" });

  constructor(private readonly link: Link, private readonly take: (game: GameFacts) => void) {
    const file = h("input", { type: "file", accept: ".pgn,.fen,.txt", "aria-label": "Open a file", onchange: () => void this.read(file) });
    this.root = h("dialog", { class: "loader", "aria-label": "Load a position or a game" },
      h("form", { onsubmit: (event: Event) => this.submit(event) },
        h("h2", {}, "Load a position or a game"),
        this.text,
        h("label", { class: "row" }, this.chess960, "Chess960: K and Q mean the outermost rooks"),
        this.trouble,
        h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Load"), file,
          button("Cancel", () => this.root.close())),
      ),
    );
  }

  open(): void {
    this.trouble.textContent = "";
    this.root.showModal();
    this.text.select();
  }

  private async read(file: HTMLInputElement): Promise<void> {
    if (!file.files?.[0]) return;
    const text = await file.files[0].text();
    this.text.value = text.slice(0, LONGEST);
    this.trouble.textContent = text.length > LONGEST ? `The file is long: here are its first ${LONGEST.toLocaleString("en")} letters.` : "";
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.text.value.replace(UNPRINTED, " ");
    const isFen = FEN.test(text) && !text.includes("[");
    const asked = isFen
      ? this.link.ask<GameFacts>("position", { fen: text.trim(), chess960: this.chess960.checked })
      : this.link.ask<GameFacts>("load", { pgn: text });
    asked.then(
      (game) => {
        this.root.close();
        this.take(game);
        if (game.note) toast(game.note);
      },
      (error: Error) => (this.trouble.textContent = error.message),
    );
  }
}
