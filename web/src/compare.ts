// Compare: one position searched twice with the same nodes, each time with techniques of its own.

import type { App, Tab } from "./app";
import { Board } from "./board";
import { type Depth, Curve } from "./curve";
import { button, complain, h, scoreText, short, toast } from "./dom";
import { LostError } from "./link";
import { Loader } from "./loader";
import { positionOf } from "./rules";
import { steps } from "./steps";
import { Switches, readOptions, writeOptions } from "./switches";
import { titleOf } from "./pgn";
import { type Node, Tree } from "./tree";
import type { ReportFacts } from "./wire";

const FIRST = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const NODES = [10_000, 50_000, 200_000, 1_000_000, 5_000_000];
const USUAL = 200_000;
const GAME_NODES = 20_000; // a position, while a whole game is looked through
const NAMES = ["A", "B"] as const;

/** What is searched with one set of switches, and what came of it by depth. */
class Column {
  readonly root: HTMLElement;
  readonly switches: Switches;
  readonly words = h("p", { class: "words", "aria-live": "polite" });
  readonly line = h("p", { class: "quiet" });
  depths: Depth[] = [];

  constructor(readonly name: string, app: App, onChange: () => void) {
    this.switches = new Switches(app.hello.switches, onChange, { isWhole: true });
    this.root = h("section", { class: `card column ${name.toLowerCase()}`, "aria-label": name },
      h("h2", {}, h("i", { class: "sample" }), name), this.words, this.line, this.switches.root);
  }

  clear(): void {
    this.depths = [];
    this.words.textContent = "Searching…";
    this.line.textContent = "";
  }

  take(report: ReportFacts): void {
    const [best] = report.lines;
    if (!best?.moves.length) return;
    const { depth, nodes } = report;
    this.depths = [...this.depths.filter((one) => one.depth < depth), { depth, cp: best.cp, mate: best.mate, nodes, san: best.moves[0].san }];
    this.words.textContent = `${best.moves[0].san}, ${scoreText(best)}, depth ${depth} with ${short(nodes)} nodes`;
    this.line.textContent = best.moves.map((ply) => ply.san).join(" ");
  }

  get last(): Depth | undefined {
    return this.depths.at(-1);
  }

  /** The depth from which on it has had its last move. */
  get since(): Depth | undefined {
    const { last } = this;
    const others = this.depths.filter((one) => one.san !== last?.san);
    return this.depths.find(({ depth }) => depth > (others.at(-1)?.depth ?? 0));
  }
}

export class Compare implements Tab {
  readonly root = h("section", { class: "compare" });
  private readonly board = new Board("Board of the comparison");
  private readonly columns: [Column, Column];
  private readonly curve = new Curve();
  private readonly sentence = h("p", { class: "sentence", role: "status" });
  private readonly table = h("tbody", {});
  private readonly found = h("ol", { class: "list found", "aria-label": "Where the moves differ" });
  private readonly title = h("p", { class: "quiet" });
  private readonly nodes = h("select", { "aria-label": "Nodes", onchange: () => void this.search() },
    ...NODES.map((count) => h("option", { value: String(count), selected: count === USUAL }, `${short(count)} nodes`)));
  private readonly findButton = button("Find where they differ in this game", () => void this.find());
  private readonly loader: Loader;
  private tree = new Tree(FIRST);
  private at: Node = this.tree.root;
  private asked = 0;
  private isFinding = false;
  private address?: string;

  constructor(private readonly app: App) {
    this.columns = [new Column("A", app, () => void this.search()), new Column("B", app, () => void this.search())];
    this.columns[1].switches.set({ UseQuiescence: 0 });
    this.loader = new Loader(({ tree, note }) => {
      this.take(tree, tree.mainline.at(-1) ?? tree.root);
      if (note) toast(note);
    });
    this.root.append(
      h("div", { class: "where" }, this.board.root, steps((key) => this.step(key), () => this.flip()),
        h("div", { class: "card" }, this.title,
          h("div", { class: "row" }, button("Load FEN or PGN", () => this.loader.open(), { class: "primary" }),
            button("Analyse here", () => this.open(), { title: "Open the position on the analysis board (a)" })),
          this.findButton, this.found)),
      h("div", { class: "results" },
        h("div", { class: "card" }, h("div", { class: "row between" }, h("h2", {}, "The same position, the same nodes, two sets of techniques"), this.nodes),
          this.sentence, this.curve.root,
          h("div", { class: "tableframe", tabIndex: 0, role: "region", "aria-label": "By depth" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Depth"),
            ...NAMES.flatMap((name) => [name, "score", "nodes"].map((what) => h("th", { scope: "col" }, what))))), this.table))),
        h("div", { class: "columns" }, ...this.columns.map((column) => column.root))),
      this.loader.root);
  }

  enter(query: URLSearchParams): void {
    this.board.redraw();
    const address = query.toString();
    if (this.address !== undefined && (!address || address === this.address)) {
      this.note();
      if (!this.columns[0].last) void this.search();
      return;
    }
    const fen = query.get("fen");
    try {
      const tree = new Tree(fen ?? FIRST, query.get("chess960") === "1");
      const last = tree.addAll(tree.root, (query.get("moves") ?? "").split(",").filter(Boolean)) ?? tree.root;
      const ply = query.get("ply");
      [this.tree, this.at] = [tree, ply === null ? last : tree.mainline[Number(ply) - 1] ?? tree.root];
    } catch (error) {
      complain(error);
    }
    if (query.has("a") || query.has("b")) this.columns.forEach(({ name, switches }) => switches.set(readOptions(query.get(name.toLowerCase()) ?? "")));
    if (NODES.includes(Number(query.get("nodes")))) this.nodes.value = query.get("nodes")!;
    this.arrived();
  }

  leave(): void {
    this.stop();
  }

  lost(): void {
    this.stop();
  }

  key(event: KeyboardEvent): boolean {
    const { key } = event;
    if (/^(Arrow(Left|Right)|Home|End)$/.test(key)) this.step(key);
    else if (key === "f") this.flip();
    else if (key === "a") this.open();
    else return false;
    return true;
  }

  private take(tree: Tree, at: Node): void {
    [this.tree, this.at] = [tree, at];
    this.found.replaceChildren();
    this.arrived();
  }

  private stop(): void {
    this.asked++;
    this.isFinding = false;
    this.app.link.ask("stop").catch(() => {});
    this.tellFinding();
  }

  private step(key: string): void {
    const { at, tree } = this;
    this.at = ({ ArrowLeft: at.parent, ArrowRight: at.children[0], Home: tree.root, End: tree.mainline.at(-1) }[key] as Node | null | undefined) ?? at;
    if (this.at !== at) this.arrived();
  }

  private flip(): void {
    this.board.turn(this.board.side === "white" ? "black" : "white");
  }

  private open(): void {
    const { fen, moves, chess960 } = this.tree.told(this.at);
    this.app.open("analyse", { fen, moves: moves.join(","), chess960: chess960 ? "1" : "" });
  }

  private arrived(): void {
    const { at } = this;
    this.board.show({ board: at.board, turn: at.turn, last: at.uci, check: positionOf(at.fen).isCheck() });
    this.title.textContent = titleOf(this.tree.headers);
    this.tellFinding();
    void this.search();
  }

  private note(): void {
    const { tree, at } = this;
    const line = tree.mainline;
    const [a, b] = this.columns.map(({ switches }) => writeOptions(switches.values));
    const query = {
      fen: tree.root.fen === FIRST ? "" : tree.root.fen, moves: line.map(({ uci }) => uci).join(","), chess960: tree.chess960 ? "1" : "",
      ply: at.path.length === line.length ? "" : String(at.path.length), a, b: b || (a ? "" : "none"), nodes: this.nodes.value,
    };
    this.app.note("compare", query);
    this.address = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  }

  private async search(): Promise<void> {
    const asked = ++this.asked;
    this.isFinding = false;
    this.tellFinding();
    this.note();
    const end = this.tree.end(this.at);
    this.columns.forEach((column) => column.clear());
    this.sentence.textContent = end ? `The game is over: ${end.why}.` : "Searching with both…";
    this.show();
    if (end) {
      this.columns.forEach(({ words }) => (words.textContent = ""));
      return;
    }
    try {
      const isDone = await this.ask(this.at, Number(this.nodes.value), (index, report) => {
        if (asked !== this.asked) return;
        this.columns[index].take(report);
        this.show();
      });
      if (asked !== this.asked || !isDone) return;
      this.sentence.textContent = this.verdict;
    } catch (error) {
      if (asked === this.asked && !(error instanceof LostError)) complain(error);
    }
  }

  /** Searches a position with both sets; returns whether it was done, and not given up for something else. */
  private async ask(at: Node, nodes: number, hear: (index: number, report: ReportFacts) => void): Promise<boolean> {
    const options = this.columns.map(({ switches }) => switches.values);
    const answer = await this.app.link.ask<{ reports?: ReportFacts[] }>("compare", { ...this.tree.told(at), options, nodes }, (message) => {
      if (message.column !== undefined) hear(message.column, message.report as ReportFacts);
    });
    answer.reports?.forEach((report, index) => hear(index, report));
    return Boolean(answer.reports);
  }

  private get verdict(): string {
    const [a, b] = this.columns;
    if (!a.last || !b.last) return "";
    const same = a.last.san === b.last.san ? `Both play ${a.last.san}` : `A plays ${a.last.san}, B plays ${b.last.san}`;
    const seen = a.since && b.since ? `: A from depth ${a.since.depth} on, B from depth ${b.since.depth}` : "";
    const depth = Math.min(a.last.depth, b.last.depth);
    const [first, second] = [a, b].map((column) => column.depths.find((one) => one.depth === depth)?.nodes);
    const cost = first && second ? ` To depth ${depth} A took ${short(first)} nodes, B ${short(second)}.` : "";
    return `${same}${seen}.${cost}`;
  }

  private show(): void {
    const [a, b] = this.columns;
    this.curve.show([a.depths, b.depths]);
    const depths = [...new Set([...a.depths, ...b.depths].map(({ depth }) => depth))].sort((one, other) => one - other);
    this.table.replaceChildren(...depths.map((depth) => {
      const cells = this.columns.flatMap((column) => {
        const one = column.depths.find((other) => other.depth === depth);
        return one ? [one.san, scoreText(one), short(one.nodes)] : ["", "", ""];
      });
      const row = h("tr", {}, h("th", { scope: "row" }, String(depth)), ...cells.map((cell) => h("td", {}, cell)));
      row.classList.toggle("differs", Boolean(cells[0] && cells[3] && cells[0] !== cells[3]));
      return row;
    }));
  }

  private tellFinding(): void {
    this.findButton.hidden = !this.tree.root.children.length;
    this.findButton.textContent = this.isFinding ? "Stop" : "Find where they differ in this game";
  }

  /** Looks through the game for the positions in which the two play different moves. */
  private async find(): Promise<void> {
    if (this.isFinding) {
      this.stop();
      this.sentence.textContent = "Stopped.";
      return;
    }
    const asked = ++this.asked;
    this.isFinding = true;
    this.tellFinding();
    this.found.replaceChildren();
    const nodes = [this.tree.root, ...this.tree.mainline].filter((node) => !this.tree.end(node));
    try {
      for (const [index, node] of nodes.entries()) {
        this.sentence.textContent = `Position ${index + 1} of ${nodes.length}, ${short(GAME_NODES)} nodes each…`;
        const last: ReportFacts[] = [];
        if (!(await this.ask(node, GAME_NODES, (column, report) => (last[column] = report))) || asked !== this.asked) return;
        const [a, b] = last.map((report) => report.lines[0]);
        if (a?.moves[0]?.san !== b?.moves[0]?.san) this.put(node, `A ${a.moves[0].san} ${scoreText(a)}, B ${b.moves[0].san} ${scoreText(b)}`);
      }
      const count = this.found.children.length;
      this.sentence.textContent = count ? `They differ in ${count} of ${nodes.length} positions.` : `They play the same moves in all ${nodes.length} positions.`;
    } catch (error) {
      if (asked === this.asked && !(error instanceof LostError)) complain(error);
    } finally {
      if (asked === this.asked) this.isFinding = false;
      this.tellFinding();
    }
  }

  private put(node: Node, words: string): void {
    const number = this.tree.first + node.path.length;
    this.found.append(h("li", {}, button(`${Math.floor(number / 2) + 1}${number % 2 ? "…" : "."} ${words}`, () => {
      this.at = node;
      this.arrived();
    })));
  }
}
