// Analyse: a game move by move with the engine's lines, an evaluation bar, and a graph of the whole game.

import type { App, Tab } from "./app";
import { Board } from "./board";
import { button, complain, copy, h, scoreText, short } from "./dom";
import { Graph } from "./graph";
import { Loader } from "./loader";
import { LostError } from "./link";
import { MoveList, MoveField } from "./moves";
import { type Colour, type GameFacts, type LineFacts, type ReportFacts, type Score, type Verdict, told } from "./wire";

const PAUSE = 130; // ms a position must stand before it is searched, so that walking through a game is cheap
const OTHER = { white: "black", black: "white" } as const;

/** A game that was left for a line of one's own, to come back to. */
interface Main { game: GameFacts; verdicts: Map<number, Verdict>; at: number }

export class Analyse implements Tab {
  readonly root = h("section", { class: "analyse two" });
  private readonly board = new Board("Board of the analysis");
  private readonly bar = h("div", { class: "bar", role: "meter", "aria-label": "White's expected points", "aria-valuemin": "0", "aria-valuemax": "1" }, h("i", {}));
  private readonly barText = h("b", {});
  private readonly moves = new MoveList();
  private readonly graph = new Graph();
  private readonly typed: MoveField;
  private readonly loader: Loader;
  private readonly engine = h("input", { type: "checkbox", role: "switch", "aria-label": "Engine", onchange: () => this.restart() });
  private readonly count: HTMLSelectElement;
  private readonly facts = h("p", { class: "facts", role: "status" });
  private readonly lines = h("ol", { class: "lines", "aria-label": "Lines of the engine" });
  private readonly reviewButton = button("Review the game", () => void this.review());
  private readonly backButton = button("Back to the game", () => this.goBack(), { hidden: true });
  private readonly headers = h("p", { class: "quiet headers" });
  private game?: GameFacts;
  private main?: Main;
  private here?: GameFacts;
  private at = 0;
  private address = "";
  private report?: ReportFacts;
  private hasEnded = false;
  private verdicts = new Map<number, Verdict>();
  private reviewed?: GameFacts; // the game a review runs for
  private isFront = false;
  private search = 0;
  private timer = 0;

  constructor(private readonly app: App) {
    this.count = h("select", { "aria-label": "Lines", onchange: () => this.restart() },
      ...Array.from({ length: app.hello.lines }, (_, index) => h("option", { value: String(index + 1), selected: index === 2 }, `${index + 1}`)));
    this.loader = new Loader(app.link, (game) => this.begin(game, game.plies.length ? 0 : undefined));
    this.typed = new MoveField((text) => this.say(text));
    this.board.onMove = (uci) => void this.say(uci).catch(() => this.show());
    this.moves.onPick = (ply) => this.walk(ply);
    this.graph.onPick = (ply) => this.walk(ply);
    this.bar.append(this.barText);
    this.root.append(
      h("div", { class: "stage" }, h("div", { class: "withbar" }, this.bar, this.board.root), this.graph.root),
      h("div", { class: "side" },
        h("div", { class: "card" },
          h("div", { class: "row between" },
            h("label", { class: "switch" }, this.engine, h("span", {}, "Engine")),
            h("label", { class: "row" }, "Lines", this.count)),
          this.facts, this.lines),
        h("div", { class: "card" }, this.headers, this.moves.root, this.typed.root,
          h("div", { class: "row" },
            button("Load FEN or PGN", () => this.loader.open(), { class: "primary" }),
            this.backButton, this.reviewButton,
            button("Flip", () => this.flip(), { title: "Flip (f)" }),
            button("Quiescence here", () => this.quiesce()),
            button("Copy link", () => void copy(location.href, "Link")))),
      ),
      this.loader.root,
    );
    this.graph.root.hidden = true;
    this.showReport();
  }

  enter(query: URLSearchParams): void {
    this.isFront = true;
    this.board.redraw();
    const address = query.toString();
    if (!this.game || (address && address !== this.address)) void this.open(query);
    else {
      this.noteAddress();
      this.restart();
    }
  }

  leave(): void {
    this.isFront = false;
    this.search++;
    window.clearTimeout(this.timer);
    this.app.link.ask("stop").catch(() => {});
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "ArrowLeft") this.walk(this.at - 1);
    else if (event.key === "ArrowRight") this.walk(this.at + 1);
    else if (event.key === "Home") this.walk(0);
    else if (event.key === "End") this.walk(this.game?.plies.length ?? 0);
    else if (event.key === "f") this.flip();
    else if (event.key === "m") this.typed.focus();
    else if (event.key === " " && !(event.target instanceof HTMLButtonElement)) this.engine.click();
    else return false;
    return true;
  }

  private async open(query: URLSearchParams): Promise<void> {
    const fen = query.get("fen");
    const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    try {
      const game = await this.app.link.ask<GameFacts>("position", { ...(fen ? { fen } : {}), moves, chess960: query.get("chess960") === "1" });
      const ply = query.get("ply");
      this.begin(game, ply === null ? undefined : Number(ply));
    } catch (error) {
      complain(error);
      if (!this.game && !(error instanceof LostError)) this.app.open("analyse");
    }
  }

  /** Shows another game; what was shown before is left for good. */
  private begin(game: GameFacts, at?: number): void {
    this.main = undefined;
    this.take(game, at);
  }

  /** Shows what comes of moves played from here; a game that they leave is kept. */
  private branch(line: GameFacts): void {
    if (!this.game) return;
    const isKept = this.at < this.game.plies.length || this.verdicts.size > 0 || this.game.headers !== undefined;
    if (isKept) this.main ??= { game: this.game, verdicts: this.verdicts, at: this.at };
    const main = this.main;
    const at = line.plies.length;
    if (main && line.plies.every((ply, index) => ply.uci === main.game.plies[index]?.uci)) this.goBack(at);
    else this.take({ ...line, headers: this.game.headers }, at, new Map([...this.verdicts].filter(([ply]) => ply <= this.at)));
  }

  private goBack(at = this.main?.at): void {
    const main = this.main;
    if (!main) return;
    this.main = undefined;
    this.take(main.game, at, main.verdicts);
  }

  private take(game: GameFacts, at = game.plies.length, verdicts = new Map<number, Verdict>()): void {
    if (this.reviewed) this.app.link.ask("stop").catch(() => {});
    this.endReview();
    this.game = game;
    this.verdicts = verdicts;
    this.backButton.hidden = !this.main;
    this.headers.textContent = game.headers?.White ? `${game.headers.White} – ${game.headers.Black ?? "?"}, ${game.headers.Result ?? "*"}` : "";
    this.walk(at);
  }

  private walk(ply: number): void {
    if (!this.game) return;
    this.at = Math.min(Math.max(Number.isFinite(ply) ? ply : 0, 0), this.game.plies.length);
    this.here = this.at === this.game.plies.length ? this.game : undefined;
    this.report = undefined;
    this.noteAddress();
    this.show();
    this.restart();
  }

  /** Plays a move from here. */
  private async say(text: string): Promise<void> {
    if (!this.game) return;
    const [before, at] = [this.game, this.at];
    try {
      const game = await this.app.link.ask<GameFacts>("position", { ...told(before, at), say: text });
      if (this.game !== before || this.at !== at) return; // a move said twice is made once
      const isOld = this.game.plies[this.at]?.uci === game.plies[game.plies.length - 1].uci;
      if (isOld) this.walk(this.at + 1);
      else this.branch(game);
    } catch (error) {
      complain(error);
      throw error;
    }
  }

  /** Plays the first moves of an engine's line. */
  private async follow(line: LineFacts, count: number): Promise<void> {
    if (!this.game) return;
    const [before, at] = [this.game, this.at];
    const { fen, chess960, moves } = told(before, at);
    const more = line.moves.slice(0, count).map((ply) => ply.uci);
    try {
      const game = await this.app.link.ask<GameFacts>("position", { fen, chess960, moves: [...moves, ...more] });
      if (this.game === before && this.at === at) this.branch(game);
    } catch (error) {
      complain(error);
    }
  }

  /** Searches the position shown, once it has stood for a moment; what ran before is replaced. Nothing runs unseen. */
  private restart(): void {
    const search = ++this.search;
    this.hasEnded = false;
    window.clearTimeout(this.timer);
    this.showReport();
    if (!this.isFront) return;
    this.timer = window.setTimeout(() => void this.look(search), PAUSE);
  }

  private async look(search: number): Promise<void> {
    if (!this.game || search !== this.search) return;
    const body = told(this.game, this.at);
    try {
      this.here ??= await this.app.link.ask<GameFacts>("position", body);
      if (search !== this.search) return;
      this.show();
      if (this.reviewed) return;
      if (!this.engine.checked || this.here.end?.why === "checkmate" || this.here.end?.why === "stalemate") {
        await this.app.link.ask("stop");
        return;
      }
      const answer = await this.app.link.ask<ReportFacts & { stopped?: boolean }>("analyse", { ...body, lines: Number(this.count.value) }, (message) => {
        if (search !== this.search) return;
        if (message.waiting !== undefined) this.facts.textContent = "Waiting for a free engine…";
        if (message.report) this.report = message.report as ReportFacts;
        if (message.report) this.showReport();
      });
      if (search !== this.search || answer.stopped) return;
      this.report ??= answer;
      this.hasEnded = true;
      this.showReport();
    } catch (error) {
      if (!(error instanceof LostError)) complain(error);
    }
  }

  /** Scores every position of the game and marks what was lost where. */
  private async review(): Promise<void> {
    if (this.reviewed) return;
    if (!this.game?.plies.length) {
      complain(new Error("load or play a game first"));
      return;
    }
    const game = this.game;
    this.reviewed = game;
    this.search++;
    this.verdicts = new Map();
    this.reviewButton.disabled = true;
    try {
      await this.app.link.ask("review", told(game), (message) => {
        const verdict = message.verdict as Verdict;
        if (this.reviewed !== game || !verdict) return;
        this.verdicts.set(verdict.ply, verdict);
        this.reviewButton.textContent = `Reviewing ${this.verdicts.size} of ${game.plies.length}`;
        this.show();
      });
    } catch (error) {
      if (!(error instanceof LostError)) complain(error);
    } finally {
      if (this.reviewed === game) {
        this.endReview();
        this.restart();
      }
    }
  }

  /** No review runs any more, or what it says is not for the game shown. */
  private endReview(): void {
    this.reviewed = undefined;
    this.reviewButton.disabled = false;
    this.reviewButton.textContent = "Review the game";
  }

  /** Shows the tree of the position, with the moves before it, since a position may repeat them. */
  private quiesce(): void {
    if (!this.game) return;
    const { fen, moves, chess960 } = told(this.game, this.at);
    this.app.open("quiescence", { fen, moves: moves.join(","), chess960: chess960 ? "1" : "" });
  }

  private flip(): void {
    this.board.turn(OTHER[this.board.side]);
    this.bar.classList.toggle("flipped", this.board.side === "black");
  }

  private noteAddress(): void {
    if (!this.game) return;
    const { fen, moves, chess960 } = told(this.game);
    const query = {
      fen: fen === this.app.hello.start ? "" : fen, moves: moves.join(","), chess960: chess960 ? "1" : "",
      ply: this.at === moves.length ? "" : String(this.at),
    };
    this.app.note("analyse", query);
    this.address = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  }

  private show(): void {
    const game = this.game;
    if (!game) return;
    this.typed.open();
    const ply = game.plies[this.at - 1];
    const turn: Colour = (game.first + this.at) % 2 ? "black" : "white";
    const best = this.engine.checked ? this.report?.lines[0]?.moves[0] : undefined;
    const better = this.verdicts.get(this.at)?.judgement ? this.verdicts.get(this.at - 1)?.best : undefined;
    const arrow = best ? { uci: best.uci, brush: "blue" } : better && { uci: better.uci, brush: "green" };
    this.board.show({
      board: ply ? ply.board : game.start, turn, last: ply?.uci, check: this.here ? this.here.check : ply?.check,
      dests: this.here?.dests, movable: this.here ? turn : undefined,
      arrows: arrow && this.isFront ? [arrow] : [], // on a board without a size an arrow would have none either
    });
    this.moves.show(game, this.at, this.verdicts);
    this.graph.show(game.plies.length, this.at, this.verdicts);
    this.reviewButton.hidden = !game.plies.length;
  }

  private showReport(): void {
    const report = this.report;
    const known = report?.lines[0] ?? this.verdicts.get(this.at);
    if (this.here?.end) this.facts.textContent = `${this.here.end.why}, ${this.here.end.result}`;
    else if (!this.engine.checked) this.facts.textContent = "Switch the engine on, or press space.";
    else if (!report) this.facts.textContent = "Thinking…";
    else {
      const { depth, seldepth, nodes, nps } = report;
      this.facts.textContent = `Depth ${depth}/${seldepth} · ${short(nodes)} nodes · ${short(nps)}/s`;
      if (this.hasEnded) this.facts.append(" · the search has ended; switch the engine off and on for another");
    }
    this.showBar(known?.points ?? 0.5, known);
    if (!report || !this.engine.checked) this.lines.replaceChildren();
    else {
      this.lines.replaceChildren(...report.lines.map((line) => this.lineItem(line)));
      this.show();
    }
  }

  private showBar(points: number, score?: Score): void {
    this.bar.style.setProperty("--points", String(points));
    this.bar.setAttribute("aria-valuenow", points.toFixed(2));
    this.bar.setAttribute("aria-valuetext", score ? scoreText(score) : "unknown");
    this.barText.textContent = !score ? "" : score.mate !== null ? scoreText(score) : (Math.abs(score.cp ?? 0) / 100).toFixed(1);
    this.bar.classList.toggle("behind", points < 0.5);
  }

  private lineItem(line: LineFacts): HTMLElement {
    let number = (this.game?.first ?? 0) + this.at;
    const moves = line.moves.map((ply, index) => {
      const label = number % 2 === 0 ? `${number / 2 + 1}.` : index === 0 ? `${(number + 1) / 2}…` : "";
      number++;
      return h("button", { type: "button", class: "move", title: "Play up to here", onclick: () => void this.follow(line, index + 1) },
        label && h("span", { class: "number" }, label), ply.san);
    });
    const isAhead = line.mate !== null ? line.mate > 0 : (line.cp ?? 0) >= 0;
    return h("li", {}, h("b", { class: isAhead ? "score ahead" : "score behind" }, scoreText(line)), h("span", { class: "pv" }, ...moves));
  }
}
