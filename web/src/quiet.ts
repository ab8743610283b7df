// Quiescence: the tree of one quiescence search, with switches for its techniques, counters, and a guided tour.

import { type App, type Tab, addressOf } from "./app";
import { Board } from "./board";
import { button, complain, copy, h, printed, toast } from "./dom";
import { LostError } from "./link";
import { Loader } from "./loader";
import { NodeDetails } from "./nodedetails";
import { FAMILIES, wordsOf } from "./reasons";
import { Switches, readOptions, writeOptions } from "./switches";
import { Tree } from "./tree";
import { TreeFind } from "./treefind";
import { type TreeNode, grown, lineTo } from "./treenode";
import { TreeView } from "./treeview";
import { type GameFacts, type Told, type TreeFacts, told } from "./wire";

const FIRST = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const SLOW = 700; // ms after which a word about waiting is worth it

export class Quiescence implements Tab {
  readonly root = h("section", { class: "quiescence" });
  private readonly board = new Board("Board of the tree");
  private readonly tree = new TreeView();
  private readonly switches: Switches;
  private readonly loader: Loader;
  private readonly sentence = h("p", { class: "sentence", role: "status" });
  private readonly missing = h("p", { class: "missing", role: "note", hidden: true });
  private readonly details = new NodeDetails(this.board);
  private readonly find = new TreeFind(this.tree);
  private readonly above = h("p", { class: "row above", hidden: true });
  private readonly down = button("Tree from here", () => this.descend(), { title: "Show only this node and its subtree (r)" });
  private readonly counters = h("ul", { class: "counters", "aria-label": "Reasons, counted" });
  private readonly size = h("p", { class: "size" });
  private readonly tour = h("aside", { class: "card tour", "aria-label": "Guided tour", hidden: true });
  private readonly frame = h("div", { class: "treeframe" });
  private position: Told = { fen: FIRST, moves: [], chess960: false };
  private path: string[] = []; // of the node that is shown on top
  private facts?: TreeFacts;
  private usual?: { key: string; nodes: number };
  private step = -1;
  private asked = 0;
  private isDue = true;
  private address?: string;
  private last = "";

  constructor(private readonly app: App) {
    this.switches = new Switches(app.hello.techniques, () => this.change());
    this.loader = new Loader(async ({ tree, note }) => {
      this.take(await app.link.ask<GameFacts>("position", tree.told(tree.mainline.at(-1) ?? tree.root)));
      if (note) toast(note);
    });
    this.tree.onFocus = (node) => this.showNode(node);
    const skips = h("input", { type: "checkbox", checked: true, onchange: () => {
      this.tree.showSkips = skips.checked;
      this.tree.draw();
      this.tree.fit();
    } });
    this.frame.append(this.tree.root, this.above, this.missing);
    this.root.append(
      this.tour,
      h("div", { class: "three" },
        h("div", { class: "where" }, this.board.root,
          h("div", { class: "card" }, this.details.root,
            h("div", { class: "row" }, button("Analyse here", () => this.analyse(), { title: "Open this node on the analysis board (a)" }), this.down)),
          h("div", { class: "row" },
            button("Load FEN or PGN", () => this.loader.open(), { class: "primary" }),
            button("Guided tour", () => this.visit(0)),
            button("Share", () => void copy(location.href, "Link")),
            button("Flip", () => this.flip(), { title: "Flip (f)" }))),
        h("div", { class: "wood card" },
          this.sentence,
          h("div", { class: "row toolbar" },
            button("Unfold all", () => this.unfold(), {}), button("Fold", () => this.tree.foldAll(true)),
            button("+", () => this.tree.by(1.3), { "aria-label": "Zoom in", class: "icon" }),
            button("−", () => this.tree.by(1 / 1.3), { "aria-label": "Zoom out", class: "icon" }),
            button("Fit", () => this.tree.fit()),
            h("label", { class: "row" }, skips, "moves left out"), this.size),
          h("div", { class: "row between findrow" }, this.find.root, this.size),
          this.frame, this.counters),
        h("div", { class: "card options" }, this.switches.root)),
      this.loader.root,
    );
    new ResizeObserver(() => this.facts && this.tree.fit()).observe(this.frame);
  }

  enter(query: URLSearchParams): void {
    this.board.redraw();
    const address = query.toString();
    if (this.facts && (address === this.address || !address)) {
      if (this.isDue) void this.grow();
      else this.note();
      return;
    }
    const step = Number(query.get("tour") ?? 0);
    if (step > 0 && step <= this.app.hello.tour.length && !query.has("fen")) {
      this.visit(step - 1);
      return;
    }
    const fen = query.get("fen");
    const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    if (fen) this.position = { fen, moves, chess960: query.get("chess960") === "1" };
    this.path = (query.get("path") ?? "").split(",").filter(Boolean);
    this.switches.set(readOptions(query.get("set") ?? ""));
    if (!step) this.endTour();
    void this.grow();
  }

  leave(): void {
    this.asked++; // what comes for a tab that was left is not shown; entering again asks again
  }

  lost(): void {
    this.asked++;
  }

  key(event: KeyboardEvent): boolean {
    const { key } = event;
    if (key === "f") this.flip();
    else if (key === "a") this.analyse();
    else if (key === "r") this.descend();
    else if (key === "/") this.find.focus();
    else return false;
    return true;
  }

  /** Opens the node that was chosen on the analysis board, its line after the moves that led to the tree. */
  private analyse(): void {
    const { fen, moves, chess960 } = this.position;
    const line = this.tree.selected ? lineTo(this.tree.selected).map((node) => node.uci) : [];
    this.app.open("analyse", { fen, moves: [...moves, ...this.path, ...line].join(","), chess960: chess960 ? "1" : "" });
  }

  /** Puts the node that was chosen on top, so that what was cut off below it is shown. */
  private descend(): void {
    const node = this.tree.selected;
    if (node?.parent && !node.reason.is_skip) this.climb([...this.path, ...lineTo(node).map((step) => step.uci)]);
  }

  private climb(path: string[]): void {
    this.path = path;
    void this.grow();
  }

  private take(game: GameFacts): void {
    this.position = told(game);
    this.path = [];
    this.endTour();
    void this.grow();
  }

  private change(): void {
    void this.grow();
  }

  private flip(): void {
    this.board.turn(this.board.side === "white" ? "black" : "white");
  }

  private unfold(): void {
    const since = performance.now();
    this.tree.foldAll(false);
    this.measure(since);
  }

  /** Asks for the tree of the position under the switches as they are, and shows it; due until it is shown or refused. */
  private async grow(): Promise<void> {
    const asked = ++this.asked;
    this.isDue = true;
    this.note();
    if (!this.facts) this.showPosition();
    const since = performance.now();
    const slow = window.setTimeout(() => this.frame.classList.add("busy"), SLOW);
    try {
      const body = { ...this.position, path: this.path, options: this.switches.values };
      const facts = await this.app.link.ask<TreeFacts>("tree", body, (message) => {
        if (message.waiting !== undefined) toast("Loading the tracing engine; the first time it compiles for about a minute.");
      });
      if (asked !== this.asked || facts.stopped) return;
      await this.remember(facts);
      if (asked !== this.asked) return;
      this.show(facts, since);
    } catch (error) {
      if (asked === this.asked && !(error instanceof LostError)) this.fail(error);
    } finally {
      window.clearTimeout(slow);
      this.frame.classList.remove("busy");
    }
  }

  /** The board of the position asked for, while its first tree is waited for. */
  private showPosition(): void {
    try {
      const tree = new Tree(this.position.fen, this.position.chess960);
      const node = tree.addAll(tree.root, this.position.moves) ?? tree.root;
      this.board.show({ board: node.board, turn: node.turn, last: node.uci });
    } catch {
      // the server says what is wrong with it
    }
  }

  private fail(error: unknown): void {
    this.isDue = false;
    if (this.path.length) {
      // with other switches the tree may not have this line: then the whole tree is shown
      this.climb([]);
      return;
    }
    complain(error);
    const isFirst = this.position.fen === FIRST && !this.position.moves.length && !Object.keys(this.switches.values).length;
    if (this.facts || isFirst) return;
    this.position = { fen: FIRST, moves: [], chess960: false };
    this.path = [];
    this.switches.set({});
    void this.grow();
  }

  /** Keeps the size of this position's tree under the defaults, to compare with. */
  private async remember(facts: TreeFacts): Promise<void> {
    const key = JSON.stringify(this.position);
    if (this.usual?.key === key) return;
    const isUsual = !Object.keys(this.switches.values).length;
    const usual = isUsual ? facts : await this.app.link.ask<TreeFacts>("tree", this.position);
    if (!usual.stopped) this.usual = { key, nodes: usual.nodes };
  }

  private show(facts: TreeFacts, since: number): void {
    this.facts = facts;
    this.isDue = false;
    this.last = this.position.moves[this.position.moves.length - 1] ?? "";
    this.sentence.textContent = printed(facts.sentence);
    this.missing.hidden = !facts.left_out;
    this.missing.textContent = facts.left_out && `${facts.left_out}.`;
    this.showAbove(facts);
    this.tree.show(grown(facts, this.app.hello.reasons));
    this.find.again();
    this.showCounters(facts);
    this.measure(since);
  }

  /** The way back up, where a node below the root is on top. */
  private showAbove(facts: TreeFacts): void {
    this.above.hidden = !facts.path.length;
    this.above.replaceChildren("Shown from", ...["start", ...facts.path.map(([, san]) => san)].map((san, ply) => ply === facts.path.length
      ? h("b", {}, san) : button(san, () => this.climb(this.path.slice(0, ply)), { class: "step" })));
  }

  /** Notes how long it took until a tree was on the screen; our tests read it. */
  private measure(since: number): void {
    const count = this.tree.count;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.frame.dataset.shownMs = String(Math.round(performance.now() - since));
      this.frame.dataset.shown = String(count);
      this.frame.dataset.nodes = String(this.facts?.nodes ?? 0);
    }));
  }

  private showCounters(facts: TreeFacts): void {
    const usual = this.usual?.nodes ?? facts.nodes;
    const share = usual ? Math.round((facts.nodes / usual - 1) * 100) : 0;
    const change = share === 0 ? "" : `, ${share > 0 ? "+" : "−"}${Math.abs(share).toLocaleString("en")} % against the defaults`;
    this.size.textContent = `${facts.nodes.toLocaleString("en")} nodes${change}`;
    this.counters.replaceChildren(...FAMILIES.map((family) => {
      const counted = wordsOf(family, this.app.hello.reasons).map((word) => [word, facts.counters[`q_${word}`] ?? 0] as const);
      const sum = counted.reduce((total, [, count]) => total + count, 0);
      const parts = counted.length > 1 ? `: ${counted.map(([word, count]) => `${word.replaceAll("_", " ")} ${count}`).join(", ")}` : "";
      return h("li", { class: `${family.key}${sum ? "" : " none"}` },
        h("button", { type: "button", disabled: !sum, title: `Find in the tree: ${family.label}${parts}`, onclick: () => this.find.say(family.label) },
          h("i", { class: "swatch" }, family.sign), `${family.label} `, h("b", {}, sum.toLocaleString("en"))));
    }));
  }

  private showNode(node: TreeNode): void {
    if (this.facts) this.details.show(node, this.facts, this.last);
    const { selected } = this.tree;
    this.down.disabled = !selected?.parent || selected.reason.is_skip;
  }

  private visit(step: number): void {
    const stops = this.app.hello.tour;
    const stop = stops[step];
    if (!stop) return;
    this.step = step;
    this.position = { fen: stop.fen, moves: stop.moves, chess960: false };
    this.path = [];
    this.switches.set(stop.options);
    this.tour.hidden = false;
    this.tour.replaceChildren(
      h("div", { class: "row between" },
        h("h2", {}, h("span", { class: "step" }, `${step + 1} / ${stops.length}`), stop.title),
        h("div", { class: "row" },
          button("Back", () => this.visit(step - 1), { disabled: step === 0 }),
          step + 1 < stops.length ? button("Next", () => this.visit(step + 1), { class: "primary" }) : null,
          button("End the tour", () => { this.endTour(); this.note(); }))),
      h("p", {}, stop.text),
    );
    void this.grow();
  }

  private endTour(): void {
    this.step = -1;
    this.tour.hidden = true;
  }

  private note(): void {
    const { fen, moves, chess960 } = this.position;
    const set = writeOptions(this.switches.values);
    const query: Record<string, string> = this.isOnTour
      ? { tour: String(this.step + 1) }
      : { fen, moves: moves.join(","), chess960: chess960 ? "1" : "", set, path: this.path.join(",") };
    this.app.note("quiescence", query);
    this.address = addressOf("quiescence", query).split("?")[1] ?? "";
  }

  /** Is the position still the tour's, with its switches? Then the address names the step alone. */
  private get isOnTour(): boolean {
    const stop = this.app.hello.tour[this.step];
    return Boolean(stop) && this.switches.are(stop.options);
  }
}
