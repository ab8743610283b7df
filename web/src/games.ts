// The games of the file, and the files kept in this browser: two lists in one dialog.

import { button, h } from "./dom";
import { type File, dropFile, keepFile, keptFiles } from "./store";

const SHOWN = 300; // rows at once; a word in the field narrows them

/** What a study may be told to do: one is begun, chapters are added, named and deleted. */
export interface Study { begin(): void; add(isHere: boolean): void; name(title: string): void; drop(): void }

export class Games {
  readonly root: HTMLDialogElement;
  private readonly filter = h("input", { type: "text", placeholder: "A name, a result…", "aria-label": "Find a game", spellcheck: false });
  private readonly games = h("ol", { class: "list", "aria-label": "Games of this file" });
  private readonly files = h("ul", { class: "list", "aria-label": "Kept in this browser" });
  private readonly more = h("p", { class: "quiet" });
  private readonly name = h("input", { type: "text", maxLength: 80, placeholder: "Name of this study", "aria-label": "Name of this study", onchange: () => this.rename() });
  private readonly chapter = h("input", { type: "text", maxLength: 80, placeholder: "Name of this chapter", "aria-label": "Name of this chapter", onchange: () => this.study.name(this.chapter.value.trim()) });
  private readonly names = h("div", { class: "names" }, h("label", {}, "Study", this.name), h("label", {}, "Chapter", this.chapter));
  private readonly dropButton = button("Delete this chapter", () => this.change(() => this.study.drop()));
  private file?: File;
  private at = 0;

  constructor(private readonly pick: (file: File, index: number) => void, private readonly forget: (file: File) => void, private readonly study: Study) {
    this.filter.addEventListener("input", () => this.draw());
    this.root = h("dialog", { class: "games", "aria-label": "Games" },
      h("h2", {}, "Games of this file"), this.filter, this.games, this.more,
      this.names,
      h("div", { class: "row" },
        button("New study", () => this.change(() => this.study.begin())),
        button("Add a chapter", () => this.change(() => this.study.add(false))),
        button("Add from this position", () => this.change(() => this.study.add(true))), this.dropButton),
      h("h2", {}, "Kept in this browser"), this.files,
      button("Close", () => this.root.close(), { class: "primary" }));
  }

  open(file: File | undefined, at: number, chapter = ""): void {
    [this.file, this.at] = [file, at];
    this.name.value = file?.name ?? "";
    this.names.hidden = !file;
    this.chapter.value = chapter;
    this.dropButton.hidden = (file?.titles.length ?? 0) < 2;
    this.filter.value = "";
    this.draw();
    this.root.showModal();
    this.games.querySelector<HTMLElement>("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  private draw(): void {
    const word = this.filter.value.trim().toLowerCase();
    const titles = (this.file?.titles ?? []).map((title, index) => ({ title, index })).filter(({ title }) => title.toLowerCase().includes(word));
    this.filter.hidden = (this.file?.titles.length ?? 0) < 6;
    this.games.replaceChildren(...titles.slice(0, SHOWN).map(({ title, index }) => h("li", {},
      button(`${index + 1}. ${title}`, () => this.take(this.file!, index), { "aria-current": index === this.at ? "true" : undefined }))));
    if (!titles.length) this.games.append(h("li", { class: "quiet" }, this.file ? "No title contains this." : "Nothing is loaded."));
    this.more.textContent = titles.length > SHOWN ? `${(titles.length - SHOWN).toLocaleString("en")} more: type a part of a name.` : "";
    const files = keptFiles();
    this.files.replaceChildren(...files.map((file) => h("li", { class: "row between" },
      button(`${file.name || file.titles[0]}${file.titles.length > 1 ? ` (${file.titles.length} games)` : ""}`, () => this.take(file, 0),
        { title: new Date(file.when).toLocaleString() }),
      button("Forget", () => this.drop(file), { "aria-label": `Forget ${file.name || file.titles[0]}` }))));
    if (!files.length) this.files.append(h("li", { class: "quiet" }, "Nothing yet: games you load or play here are kept automatically."));
  }

  private rename(): void {
    if (!this.file) return;
    this.file.name = this.name.value.trim();
    keepFile(this.file);
    this.draw();
  }

  private change(act: () => void): void {
    this.root.close();
    act();
  }

  private take(file: File, index: number): void {
    this.root.close();
    this.pick(file, index);
  }

  private drop(file: File): void {
    dropFile(file);
    this.forget(file);
    if (file.id === this.file?.id) this.file = undefined;
    this.draw();
  }
}
