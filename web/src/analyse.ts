// Analyse: a game with its variations, the engine's lines, an evaluation bar, and a graph of the whole game.

import { makeSquare, parseSquare } from "chessops/util";
import { Annotations } from "./annotate";
import type { App, Tab } from "./app";
import { Bar } from "./bar";
import { type Arrow, Board } from "./board";
import { Desk } from "./desk";
import { button, complain, copy, download, h, short, toast } from "./dom";
import { Editor } from "./editor";
import { Games } from "./games";
import { Graph } from "./graph";
import { type Shown, Lines } from "./lines";
import { Loader, loaded } from "./loader";
import { Look } from "./look";
import { MoveField } from "./moves";
import { MoveTree } from "./movetree";
import { Opening } from "./opening";
import { titleOf, writeGame } from "./pgn";
import { Review } from "./review";
import { destsOf, passed, positionOf, spoken, typedMove } from "./rules";
import { steps } from "./steps";
import type { File } from "./store";
import type { Node } from "./tree";
import { Tables } from "./tables";
import { uciOf } from "./why";
import { WhyNot } from "./whynot";
import { WishList } from "./wishes";
import type { Told } from "./wire";

const OTHER = { white: "black", black: "white" } as const;
const ENGINE = "quiesce-engine-on"; // in this tab
const GRANDEST = 12; // px of the best line's arrow; each other is thinner

export class Analyse implements Tab {
  readonly root = h("section", { class: "analyse two" });
  private readonly desk = new Desk();
  private readonly board = new Board("Board of the analysis");
  private readonly bar = new Bar();
  private readonly moves = new MoveTree();
  private readonly graph = new Graph();
  private readonly lines = new Lines();
  private readonly look: Look;
  private readonly wishes: WishList;
  private readonly notes: Annotations;
  private readonly typed = new MoveField((text) => this.say(text));
  private readonly loader = new Loader((found) => this.change(() => this.desk.load(found)));
  private readonly games = new Games((file, index) => void this.turnTo(file, index), (file) => file.id === this.desk.file?.id && (this.desk.file = undefined), {
    begin: () => this.change(() => this.desk.begin("New study")),
    add: (isHere) => this.change(() => this.desk.addChapter(isHere ? this.desk.at.fen : undefined)),
    name: (title) => {
      this.desk.name(title);
      this.edited();
    },
    drop: () => this.change(() => this.desk.dropChapter()),
  });
  private readonly editor = new Editor((fen) => this.change(() => this.desk.load(loaded(fen, ""))));
  private readonly engine = h("input", { type: "checkbox", role: "switch", "aria-label": "Engine", onchange: () => this.restart() });
  private readonly threat = button("Threat", () => this.toggleThreat(), { "aria-pressed": "false", title: "What the other side would play if it could move now (x)" });
  private readonly tables: Tables;
  private readonly opening: Opening;
  private readonly facts = h("p", { class: "facts" });
  private readonly said = h("p", { class: "heard", "aria-live": "polite" });
  private readonly backButton = button("Back to the game", () => this.walk(this.desk.tree.leaving(this.desk.at)), { hidden: true });
  private readonly gamesButton = button("Games", () => this.games.open(this.desk.file, this.desk.index, this.desk.chapter), { title: "Games of this file ([ and ]) and saved games" });
  private readonly headers = h("p", { class: "quiet headers" });
  private isStarted = false;
  private address = "";
  private isFront = false;
  private readonly review: Review;
  private readonly whyNot: WhyNot;

  constructor(private readonly app: App) {
    this.look = new Look(app.link);
    this.tables = new Tables(app);
    this.opening = new Opening(app.link);
    this.wishes = new WishList(app.hello, () => this.restart());
    this.notes = new Annotations({
      changed: () => this.edited(), promote: () => this.rearrange((at) => this.desk.tree.promote(at)),
      makeMain: () => this.rearrange((at) => this.desk.tree.makeMain(at)), remove: () => this.remove(), undo: () => this.undo(), draw: (isOn) => this.board.draw(isOn),
    });
    this.engine.checked = sessionStorage.getItem(ENGINE) === "1";
    this.review = new Review(app.link, {
      began: () => this.look.end(),
      judged: (node) => {
        this.moves.patch(node);
        this.showGraph();
        this.keep();
      },
      ended: () => {
        this.show();
        this.restart();
      },
      train: () => this.app.open("train"),
    });
    this.whyNot = new WhyNot(app.link, app.hello.reasons, this.desk, this.board, {
      restart: () => this.restart(), changed: () => {
        this.show();
        this.showReport();
      }, follow: (from, moves) => this.followFrom(from, moves),
      edited: () => this.edited(), tree: (told) => this.openTree(told),
    });
    this.look.onChange = () => this.showReport();
    this.look.onTrouble = complain;
    this.board.onMove = (uci) => void this.say(uci).catch(() => this.show());
    this.board.onDraw = (shapes) => {
      this.desk.at.shapes = shapes.map(({ from, to, colour }) => ({ from: parseSquare(from)!, to: parseSquare(to)!, color: colour as "green" }));
      this.desk.tree.changed();
      this.keep();
    };
    this.moves.onPick = (node) => this.walk(node);
    this.graph.onPick = (ply) => this.walk([this.desk.tree.root, ...this.desk.tree.mainline][ply] ?? this.desk.tree.root);
    this.lines.onPlay = (line, count) => this.follow(line, count);
    this.lines.onEnd = (line) => this.openTree(this.told(this.desk.at, uciOf(line).slice(0, Math.max(line.depth ?? 0, 1))));
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => void this.dropped(event));
    this.lay();
  }

  private lay(): void {
    this.root.append(
      h("div", { class: "stage" }, h("div", { class: "withbar" }, this.bar.root, this.board.root),
        steps((key) => this.step(key), () => this.flip())),
      h("div", { class: "side" },
        h("div", { class: "card" },
          h("div", { class: "row between" },
            h("label", { class: "switch" }, this.engine, h("span", {}, "Engine")), this.threat,
            h("label", { class: "row" }, "Lines", this.wishes.lines)),
          this.facts, this.tables.root, this.lines.root, this.wishes.root),
        h("div", { class: "card" }, this.headers, this.opening.root, this.said, this.whyNot.judged, this.moves.root, this.typed.root,
          h("div", { class: "row" }, this.whyNot.whyButton, this.whyNot.whyNotButton, this.review.button, this.review.trainButton, this.backButton),
          h("div", { class: "row" }, button("Load FEN or PGN", () => this.loader.open(), { class: "primary" }), this.gamesButton,
            button("Set up", () => this.editor.open(this.desk.at.fen), { title: "Set up a position (e)" }),
            button("Quiescence here", () => this.openTree(this.told(this.desk.at)), { title: "The tree of quiescence of this position" }))),
        this.whyNot.why.root,
        this.graph.root, this.review.summary,
        h("div", { class: "card" }, this.notes.root),
        h("div", { class: "card" }, h("div", { class: "row" },
          button("Copy FEN", () => void copy(this.desk.at.fen, "FEN")),
          button("Copy PGN", () => void copy(writeGame(this.desk.tree), "PGN")),
          button("Save PGN", () => download(`${this.desk.file?.name.replace(/\.pgn$/i, "") || "quiesce"}.pgn`, this.desk.pgn)),
          button("Copy link", () => void copy(location.href, "Link")))),
      ),
      this.loader.root, this.games.root, this.editor.root,
    );
    this.graph.root.hidden = true;
  }

  enter(query: URLSearchParams): void {
    this.isFront = true;
    this.board.redraw();
    this.typed.open();
    const address = query.toString();
    if (!this.isStarted || (address && address !== this.address)) this.open(query, address);
    else {
      this.noteAddress();
      this.show();
      this.restart();
    }
    if (this.review.isDue) void this.review.run(this.desk.tree);
  }

  /** A review goes on while one looks elsewhere; a search does not. */
  leave(): void {
    this.isFront = false;
    if (!this.review.isRunning) this.look.end();
  }

  lost(): void {
    this.review.isDue = this.review.isRunning;
    this.look.end();
    this.showReport();
  }

  key(event: KeyboardEvent): boolean {
    const { key } = event;
    if (this.step(key)) return true;
    if (key === "f") this.flip();
    else if (key === "m") this.typed.focus();
    else if (key === "c") this.notes.focus();
    else if (key === "e") this.editor.open(this.desk.at.fen);
    else if (key === "g") this.games.open(this.desk.file, this.desk.index, this.desk.chapter);
    else if (key === "x") this.toggleThreat();
    else if (key === "w") this.whyNot.ask();
    else if (key === "W") this.whyNot.point(!this.whyNot.isPointing);
    else if (key === "Escape" && this.whyNot.isPointing) this.whyNot.point(false);
    else if (key === "p") this.rearrange((at) => this.desk.tree.promote(at));
    else if (key === "P") this.rearrange((at) => this.desk.tree.makeMain(at));
    else if (key === "Delete") this.remove();
    else if (key === "z") this.undo();
    else if (key === "[" || key === "]") this.turnOver(key === "]" ? 1 : -1);
    else if (key === " ") this.engine.click();
    else return false;
    return true;
  }

  /** One move on or back, to an end, or to the next variation. */
  private step(key: string): boolean {
    const { at } = this.desk;
    const siblings = at.parent?.children ?? [];
    const beside = siblings[(siblings.indexOf(at) + (key === "ArrowUp" ? siblings.length - 1 : 1)) % siblings.length];
    const target: Record<string, Node | null | undefined> = {
      ArrowLeft: at.parent, ArrowRight: at.children[0], Home: this.desk.tree.root, End: this.desk.line.at(-1), ArrowUp: beside, ArrowDown: beside,
    };
    if (!(key in target)) return false;
    this.walk(target[key] ?? at);
    return true;
  }

  private open(query: URLSearchParams, address: string): void {
    const isFirst = !this.isStarted;
    this.isStarted = true;
    if (isFirst && this.desk.resume(address)) {
      this.began();
      return;
    }
    const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    const ply = query.get("ply");
    try {
      this.desk.take({ fen: query.get("fen") ?? this.app.hello.start, moves, chess960: query.get("chess960") === "1" }, ply === null ? undefined : Number(ply));
    } catch (error) {
      complain(error);
    }
    this.began();
  }

  /** Does something that may show another game; throws what it throws. */
  private change(act: () => void): void {
    act();
    this.began();
    this.keep();
  }

  /** The next game of the file, or the one before; those that cannot be read are told and passed over. */
  private turnOver(step: number): void {
    const { file } = this.desk;
    let index = this.desk.index + step;
    while (file && index >= 0 && index < file.titles.length && !this.turnTo(file, index)) index += step;
  }

  private turnTo(file: File, index: number): boolean {
    try {
      this.change(() => this.desk.turnTo(file, index));
      return true;
    } catch (error) {
      complain(new Error(`game ${index + 1}: ${(error as Error).message}`));
      return false;
    }
  }

  private began(): void {
    this.review.show(this.desk.tree);
    this.whyNot.why.close();
    if (this.desk.note) toast(this.desk.note);
    this.board.turn(this.desk.side);
    this.bar.turn(this.desk.side);
    this.noteAddress();
    this.show();
    this.restart();
  }

  private async dropped(event: DragEvent): Promise<void> {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    try {
      const text = await file.text();
      this.change(() => this.desk.load(loaded(text, file.name)));
    } catch (error) {
      complain(error);
    }
  }

  private walk(node: Node): void {
    if (node === this.desk.at) return;
    this.desk.at = node;
    this.said.textContent = node.san ? `${spoken(node.san)}.${node.comment ? ` ${node.comment}` : ""}` : "The start.";
    this.arrived();
  }

  private arrived(): void {
    this.keep();
    this.show();
    this.restart();
  }

  /** Plays a move from here: what is there already is walked, what is not becomes a variation. */
  private async say(text: string): Promise<void> {
    const move = typedMove(positionOf(this.desk.at.fen), text);
    if (!move) {
      const error = new Error(`${text} is no legal move here`);
      complain(error);
      throw error;
    }
    if (this.whyNot.isPointing) this.whyNot.askOf(move);
    else this.walk(this.desk.tree.add(this.desk.at, move));
  }

  /** Plays the first moves of an engine's line. */
  private follow(line: Shown, count: number): void {
    if (!this.isThreat) this.followFrom(this.desk.at, uciOf(line).slice(0, count));
  }

  private followFrom(at: Node, moves: string[]): void {
    const end = this.desk.tree.addAll(at, moves);
    if (end) this.walk(end);
  }

  private rearrange(act: (at: Node) => boolean): void {
    this.desk.remember();
    if (act(this.desk.at)) this.arrived();
  }

  private remove(): void {
    if (!this.desk.at.parent) return;
    this.desk.remember();
    this.desk.at = this.desk.tree.remove(this.desk.at);
    toast("Deleted; press z to undo");
    this.arrived();
  }

  private undo(): void {
    if (this.desk.undo()) {
      this.review.show(this.desk.tree);
      this.arrived();
    }
    else toast("There is nothing to undo");
  }

  private edited(): void {
    this.keep();
    this.show();
  }

  private keep(): void {
    this.noteAddress();
    this.desk.keep(this.address);
  }

  private get isThreat(): boolean {
    return this.threat.getAttribute("aria-pressed") === "true";
  }

  private toggleThreat(): void {
    const isOn = !this.isThreat;
    this.threat.setAttribute("aria-pressed", String(isOn));
    if (isOn) this.engine.checked = true;
    this.restart();
  }

  /** Searches the position shown, or what the other side threatens in it. Nothing runs unseen. */
  private restart(): void {
    sessionStorage.setItem(ENGINE, this.engine.checked ? "1" : "0");
    const { tree, at } = this.desk;
    const end = tree.end(at);
    const isOver = end?.why === "checkmate" || end?.why === "stalemate";
    const threat = this.isThreat ? passed(at.fen) : undefined;
    if (this.review.isRunning || this.whyNot.why.isSearching || threat === null) this.look.state = "off";
    else if (!this.engine.checked || !this.isFront || !this.app.link.isOpen || isOver) this.look.end();
    else this.look.begin(threat ? { fen: threat, chess960: tree.chess960, moves: [] } : tree.told(at), this.wishes.values);
    this.showReport();
  }

  /** A position, with moves after it; those before it are told, too, since it may repeat them. */
  private told(at: Node, moves: string[] = []): Told {
    const told = this.desk.tree.told(at);
    return { ...told, moves: [...told.moves, ...moves] };
  }

  private openTree({ fen, moves, chess960 }: Told): void {
    this.app.open("quiescence", { fen, moves: moves.join(","), chess960: chess960 ? "1" : "" });
  }

  private flip(): void {
    this.desk.side = OTHER[this.board.side];
    this.board.turn(this.desk.side);
    this.bar.turn(this.desk.side);
    this.review.offer(this.desk.tree, this.desk.side);
    this.keep();
  }

  private noteAddress(): void {
    const { tree, line, at } = this.desk;
    const ply = at.path.length;
    const query = {
      fen: tree.root.fen === this.app.hello.start ? "" : tree.root.fen, moves: line.map((node) => node.uci).join(","),
      chess960: tree.chess960 ? "1" : "", ply: ply === line.length ? "" : String(ply),
    };
    this.app.note("analyse", query);
    this.address = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  }

  private show(): void {
    const { tree, at, file, index } = this.desk;
    const position = positionOf(at.fen);
    this.board.show({
      board: at.board, turn: at.turn, last: at.uci, check: position.isCheck(), dests: destsOf(position, tree.chess960), movable: at.turn,
      shapes: at.shapes.map(({ from, to, color }) => ({ from: makeSquare(from), to: makeSquare(to), colour: color })), arrows: this.arrows,
    });
    this.moves.show(tree, at);
    this.tables.show(tree.told(at), at.fen);
    this.opening.show(tree.told(at));
    this.notes.show(tree, at);
    this.showGraph();
    this.whyNot.show();
    this.review.offer(tree, this.board.side);
    this.headers.textContent = titleOf(tree.headers);
    const many = file && file.titles.length > 1;
    this.gamesButton.textContent = many ? `Game ${index + 1} of ${file.titles.length}` : "Games";
    this.backButton.hidden = tree.isMain(at);
    this.review.button.hidden = !tree.root.children.length;
  }

  private showGraph(): void {
    const { tree, at } = this.desk;
    const nodes = [tree.root, ...tree.mainline];
    const verdicts = nodes.map((node) => node.verdict).filter((verdict) => verdict !== undefined);
    this.graph.show(nodes.length - 1, tree.leaving(at).path.length, verdicts);
  }

  /** An arrow for each line, the better the thicker; or for what the review would have played. */
  private get arrows(): Arrow[] {
    if (!this.isFront) return []; // on a board without a size they would have none either
    const lines = this.engine.checked ? this.look.report?.lines ?? [] : [];
    const found = lines.map((line, rank) => ({
      uci: line.moves[0]?.uci ?? "", brush: this.isThreat ? "red" : rank ? "paleBlue" : "blue", width: Math.max(3, GRANDEST - 2.5 * rank),
    }));
    if (found.length) return found.filter(({ uci }) => uci).reverse();
    const { at } = this.desk;
    const better = at.verdict?.judgement ? at.parent?.verdict?.best : undefined;
    return better ? [{ uci: better.uci, brush: "green" }] : [];
  }

  private showReport(): void {
    const { tree, at } = this.desk;
    const { report, state } = this.look;
    const end = tree.end(at);
    const first = tree.first + at.path.length + (this.isThreat ? 1 : 0);
    this.facts.textContent = end ? `${end.why}, ${end.result}`
      : this.whyNot.isPointing ? "Make the move you ask about: on the board, or typed."
      : this.whyNot.why.isSearching ? "Searching a move; analysis continues afterwards."
      : this.review.isRunning ? "Reviewing the game; analysis continues afterwards."
      : !this.engine.checked ? "Switch the engine on, or press space."
      : this.isThreat && passed(at.fen) === null ? "In check there is no threat to show."
      : !report ? (state === "waiting" ? "Waiting for a free engine…" : state === "off" ? "The engine is not connected." : "Thinking…")
      : `Depth ${report.depth}/${report.seldepth} · ${short(report.nodes)} nodes · ${short(report.nps)}/s`
        + (state === "ended" ? " · the search has ended; switch the engine off and on for another" : "");
    const isShown = report && this.engine.checked;
    this.lines.reserve(this.engine.checked && !end ? this.wishes.values.lines : 0);
    this.bar.show(isShown && !this.isThreat ? report.lines[0] : at.verdict);
    this.lines.show(isShown ? report.lines : [], first, this.board.side);
    this.board.arrows(this.arrows);
  }
}
