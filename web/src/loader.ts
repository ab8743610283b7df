// A dialog that takes a FEN or PGN, by typing, pasting or from a file of any length.

import { button, h } from "./dom";
import { fenIn } from "./fen";
import { type Found, type Game, gamesIn, readGame } from "./pgn";
import { Tree } from "./tree";

/** What was loaded: the games of the text, one of them played through; a position is a game without moves. */
export interface Loaded extends Game { name: string; games: Found[]; index: number }

/** Reads a FEN or the games of a PGN; throws an Error whose sentence says what is wrong. */
export function loaded(text: string, name: string, chess960 = false): Loaded {
  const fen = fenIn(text);
  if (fen !== null) {
    const is960 = chess960 || /[A-HJa-h]/.test(fen.split(" ")[2]); // rights by the rook's file
    const headers = new Map([["SetUp", "1"], ["FEN", fen], ...(is960 ? [["Variant", "Chess960"] as const] : [])]);
    return { name, games: [{ headers, text: "*" }], index: 0, tree: new Tree(fen, is960), note: "" };
  }
  const games = gamesIn(text);
  if (!games.length) throw new Error("there is no game in this text");
  return { name, games, ...firstReadable(games) };
}

/** The first game that can be read, with a word on those before it; where none can, what is wrong with the first is thrown. */
function firstReadable(games: Found[]): Game & { index: number } {
  let trouble: Error | undefined;
  for (const [index, found] of games.entries()) {
    try {
      const game = readGame(found);
      const word = trouble && `game 1: ${trouble.message}; this is game ${index + 1}`;
      return { ...game, index, note: [word, game.note].filter(Boolean).join("; ") };
    } catch (error) {
      trouble ??= error as Error;
    }
  }
  throw trouble ?? new Error("there is no game in this text");
}

export class Loader {
  readonly root: HTMLDialogElement;
  private readonly text = h("textarea", {
    rows: 8, spellcheck: false, "aria-label": "FEN or PGN", placeholder: "Paste a FEN or the PGN of one game or many",
  });
  private readonly chess960 = h("input", { type: "checkbox" });
  private readonly trouble = h("p", { class: "trouble", role: "alert" });
  private name = "";
  private whole = ""; // of a file too long for a text field to be quick with

  constructor(private readonly take: (loaded: Loaded) => void | Promise<void>) {
    const file = h("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", "aria-label": "Open a file", onchange: () => void this.read(file) });
    this.text.addEventListener("input", () => (this.whole = this.name = ""));
    this.root = h("dialog", { class: "loader", "aria-label": "Load a position or a game" },
      h("form", { onsubmit: (event: Event) => void this.submit(event) },
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

  private async read(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    if (!file) return;
    const text = await file.text();
    const isLong = text.length > 200_000;
    this.text.value = isLong ? `${text.slice(0, 2_000)}\n… the whole file, ${text.length.toLocaleString("en")} letters, will be loaded` : text;
    this.whole = text;
    this.name = file.name;
    this.trouble.textContent = "";
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await this.take(loaded(this.whole || this.text.value, this.name, this.chess960.checked));
      this.root.close();
    } catch (error) {
      this.trouble.textContent = (error as Error).message;
    }
  }
}
