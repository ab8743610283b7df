// What is on the desk: a file of games, the one that is shown, where one is in it; kept in this browser at each change.

import type { Found } from "./pgn";
import { titleOf, writeGame } from "./pgn";
import { loaded, type Loaded } from "./loader";
import { type File, addGame, dropGame, keepFile, keepGame, keptFile, keptGame, newFile } from "./store";
import { type Node, Tree } from "./tree";
import type { Colour, Told } from "./wire";

const HERE = "quiesce-analysis"; // of this tab: which file and game, under which address
const MOST_UNDONE = 50;

interface Here { id: string; index: number; address: string }
interface Before { pgn: string; place: number[] }

export class Desk {
  tree = new Tree();
  at = this.tree.root;
  side: Colour = "white";
  file?: File;
  index = 0;
  note = "";
  private undone: Before[] = [];

  /** Something is loaded: a file of it is kept, and the first of its games that can be read is shown. */
  load(found: Loaded): void {
    const name = found.name || titleOf(found.tree.headers);
    this.file = newFile(name, found.games);
    this.show(found.tree, found.index);
    this.note = found.note;
  }

  /** A game told by an address or by another tab; kept from its first change on. */
  take(told: Told, ply?: number): void {
    const tree = new Tree(told.fen, told.chess960);
    const last = tree.addAll(tree.root, told.moves);
    if (!last) throw new Error("a move of this address is illegal");
    this.file = undefined;
    this.show(tree, 0);
    this.at = ply === undefined || !Number.isFinite(ply) ? last : tree.mainline[ply - 1] ?? tree.root;
  }

  /** Another game of this file or of one that was kept; throws an Error where it cannot be read. */
  turnTo(file: File, index: number): void {
    const kept = keptGame(file.id, index);
    if (!kept) throw new Error("this game is not kept any more");
    const { tree, note } = this.read(kept.pgn);
    const nodes = [tree.root, ...tree.mainline];
    for (const verdict of kept.verdicts) if (nodes[verdict.ply]) nodes[verdict.ply].verdict = verdict;
    this.file = file;
    this.show(tree, index);
    this.at = tree.at(kept.place);
    this.side = kept.side;
    this.note = note;
  }

  /** A file with one empty chapter. */
  begin(name: string): void {
    const file = newFile(name, [{ headers: new Map([["Event", "Chapter 1"]]), text: "*" }]);
    this.turnTo(file, 0);
  }

  /** Another chapter of this file, from the start or from the position shown. */
  addChapter(fen?: string): void {
    const file = this.file ?? newFile("", [this.found]);
    const title = `Chapter ${file.titles.length + 1}`;
    const tree = new Tree(fen, this.tree.chess960);
    tree.headers.set("Event", title);
    this.turnTo(file, addGame(file, title, writeGame(tree)));
  }

  /** Takes the game shown out of its file; another is shown, which there must be. */
  dropChapter(): void {
    const { file, index } = this;
    if (!file || file.titles.length < 2) return;
    dropGame(file, index);
    this.turnTo(file, Math.min(index, file.titles.length - 1));
  }

  /** The name of the game shown, if it has one of its own. */
  get chapter(): string {
    return (this.tree.headers.get("Event") ?? "").replace(/^\?$/, "");
  }

  /** Names the game shown, where no players name it. */
  name(title: string): void {
    this.tree.headers.set("Event", title);
  }

  private read(pgn: string): { tree: Tree; note: string } {
    try {
      return loaded(pgn, "");
    } catch (error) {
      if (!/there is no move/.test((error as Error).message)) throw error;
      const headers = gamesHeaders(pgn);
      const empty = new Tree(headers.get("FEN"), /960/.test(headers.get("Variant") ?? ""));
      empty.headers = headers;
      return { tree: empty, note: "" };
    }
  }

  private show(tree: Tree, index: number): void {
    this.tree = tree;
    this.at = tree.root;
    this.index = index;
    this.undone = [];
    this.note = "";
  }

  /** What this tab had when it was left, if it is under this address. */
  resume(address: string): boolean {
    const text = sessionStorage.getItem(HERE);
    const here = text ? (JSON.parse(text) as Here) : null;
    const file = here && (!address || address === here.address) ? keptFile(here.id) : null;
    if (!here || !file) return false;
    try {
      this.turnTo(file, here.index);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes down what is shown. A position that nobody has done anything with is not kept. */
  keep(address: string): void {
    if (!this.file) {
      if (!this.tree.root.children.length && !this.tree.root.isAnnotated) return;
      this.file = newFile("", [this.found]);
    }
    const title = titleOf(this.tree.headers) || this.opening;
    if (title && title !== this.file.titles[this.index]) {
      this.file.titles[this.index] = title;
      keepFile(this.file);
    }
    const nodes = [this.tree.root, ...this.tree.mainline];
    const verdicts = nodes.map((node) => node.verdict).filter((verdict) => verdict !== undefined);
    keepGame(this.file, this.index, { pgn: writeGame(this.tree), place: this.tree.place(this.at), verdicts, side: this.side });
    sessionStorage.setItem(HERE, JSON.stringify({ id: this.file.id, index: this.index, address } satisfies Here));
  }

  /** A game nobody named is known by its first moves. */
  private get opening(): string {
    return this.tree.mainline.slice(0, 6).map((node) => node.san).join(" ");
  }

  private get found(): Found {
    return { headers: this.tree.headers, text: "*" };
  }

  /** Remembers how things are, before something is taken away. */
  remember(): void {
    this.undone.push({ pgn: writeGame(this.tree), place: this.tree.place(this.at) });
    if (this.undone.length > MOST_UNDONE) this.undone.shift();
  }

  /** Brings back what was taken away last; returns whether there was anything. */
  undo(): boolean {
    const before = this.undone.pop();
    if (!before) return false;
    const judged = [this.tree.root, ...this.tree.mainline];
    this.tree = this.read(before.pgn).tree;
    [this.tree.root, ...this.tree.mainline].forEach((node, ply) => {
      if (node.uci === judged[ply]?.uci) node.verdict = judged[ply].verdict;
    });
    this.at = this.tree.at(before.place);
    return true;
  }

  /** All games of the file as PGN, those that were not opened as they came. */
  get pgn(): string {
    const { file } = this;
    if (!file) return writeGame(this.tree);
    return file.titles.map((_, index) => (index === this.index ? writeGame(this.tree) : keptGame(file.id, index)?.pgn.trim() ?? "")).join("\n\n");
  }

  /** The line through where one is, to its end. */
  get line(): Node[] {
    const found = this.at.path;
    for (let node = this.at.children[0]; node; node = node.children[0]) found.push(node);
    return found;
  }
}

function gamesHeaders(pgn: string): Map<string, string> {
  return new Map([...pgn.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]));
}
