// Play: a game against the engine, at a strength and with a clock of one's choice. It is kept in this tab of the browser.

import type { App, Tab } from "./app";
import { Board } from "./board";
import { Clocks, type Times } from "./clocks";
import { button, complain, copy, download, h, toast } from "./dom";
import { Loader } from "./loader";
import { LostError } from "./link";
import { MoveList, MoveField } from "./moves";
import { type Settings, NewGame, strengthText } from "./newgame";
import { writeGame } from "./pgn";
import { positionOf, spoken, typedMove, uciOf } from "./rules";
import { knock } from "./sound";
import { steps } from "./steps";
import { Tree } from "./tree";
import { type Colour, type End, type GameFacts, told } from "./wire";

const KEPT = "quiesce-game";
const AGAIN = 300; // ms after which a move that the server gave up is asked for again
const SURE = 4000; // ms in which resigning may be confirmed
const OTHER = { white: "black", black: "white" } as const;

export class Play implements Tab {
  readonly root = h("section", { class: "play two" });
  private readonly board = new Board("Board of the game");
  private readonly moves = new MoveList();
  private readonly clocks = new Clocks((side) => this.finish({ result: side === "white" ? "0-1" : "1-0", why: "time" }));
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly said = h("p", { class: "heard", "aria-live": "polite" });
  private readonly names = { top: h("span", { class: "name" }), bottom: h("span", { class: "name" }) };
  private readonly typed: MoveField;
  private readonly dialog: NewGame;
  private readonly loader: Loader;
  private readonly takeBackButton = button("Take back", () => void this.takeBack(), { title: "Take back (u)" });
  private readonly resignButton = button("Resign", () => this.resign());
  private resigning = 0;
  private isLost = false;
  private settings: Settings;
  private game?: GameFacts;
  private end: End | null = null;
  private times: Times[] = []; // what the clocks showed after so many plies
  private at = 0;
  private thinking = 0;
  private thought = 0;

  constructor(private readonly app: App) {
    this.settings = { side: "white", elo: 1500, clock: null };
    this.dialog = new NewGame(app.link, app.hello, (game, settings) => void this.start(game, settings));
    this.loader = new Loader(async ({ tree, note }) => {
      const game = await app.link.ask<GameFacts>("position", tree.told(tree.mainline.at(-1) ?? tree.root));
      void this.start(game, { ...this.settings, clock: null, side: game.turn });
      if (note) toast(note);
    });
    window.addEventListener("pagehide", () => this.game && this.keep(this.game));
    this.typed = new MoveField((text) => this.say(text));
    this.board.onMove = (uci) => void this.say(uci).catch(() => this.show());
    this.moves.onPick = (ply) => this.walk(ply);
    this.root.append(
      h("div", { class: "stage" },
        h("div", { class: "player" }, this.names.top, this.clocks.top),
        this.board.root,
        h("div", { class: "player" }, this.names.bottom, this.clocks.bottom),
        steps((key) => this.step(key), () => this.flip()),
      ),
      h("div", { class: "side" },
        h("div", { class: "card" }, this.status, this.said, this.moves.root, this.typed.root,
          h("div", { class: "row" }, button("New game", () => this.dialog.open(), { class: "primary", title: "New game (n)" }),
            this.takeBackButton, this.resignButton),
        ),
        h("div", { class: "card" },
          h("div", { class: "row" },
            button("Analyse this game", () => this.analyse()),
            button("Load FEN or PGN", () => this.loader.open()),
            button("Copy PGN", () => void this.pgn(false)),
            button("Save PGN", () => void this.pgn(true)),
          ),
        ),
      ),
      this.dialog.root, this.loader.root,
    );
  }

  enter(): void {
    this.board.redraw();
    if (this.isLost) {
      this.isLost = false;
      this.show();
    }
    if (!this.game) void this.resume();
    else if (!this.thinking) void this.reply();
  }

  leave(): void {
    // A game goes on while its player looks elsewhere; a lost connection is taken up again by enter().
  }

  /** Nobody's time runs while the engine cannot be asked. */
  lost(): void {
    this.isLost = true;
    this.clocks.halt();
    this.show();
  }

  key(event: KeyboardEvent): boolean {
    if (this.step(event.key)) return true;
    if (event.key === "f") this.flip();
    else if (event.key === "n") this.dialog.open();
    else if (event.key === "u") void this.takeBack();
    else if (event.key === "m") this.typed.focus();
    else return false;
    return true;
  }

  private step(key: string): boolean {
    const ply = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.game?.plies.length ?? 0 }[key];
    if (ply !== undefined) this.walk(ply);
    return ply !== undefined;
  }

  /** Takes up the game this tab had before it was loaded again, or begins one. */
  private async resume(): Promise<void> {
    const text = sessionStorage.getItem(KEPT);
    try {
      const kept = text ? JSON.parse(text) : null;
      if (kept) this.settings = kept.settings;
      this.game = await this.app.link.ask<GameFacts>("position", kept?.told ?? {});
      this.end = kept?.end ?? null;
      if (kept) this.board.turn(kept.view);
      this.times = kept?.times ?? [];
      this.clocks.set(this.settings.clock, kept?.left);
      this.at = this.game.plies.length;
      this.show();
      void this.reply();
    } catch (error) {
      if (error instanceof LostError) return; // enter() is called again when the connection is back
      complain(error);
      sessionStorage.removeItem(KEPT);
      if (text) void this.resume();
    }
  }

  private async start(game: GameFacts, settings: Settings): Promise<void> {
    void this.giveUp();
    this.settings = settings;
    this.end = null;
    this.board.turn(settings.side);
    this.times = [];
    this.clocks.set(settings.clock);
    this.take(game);
    void this.reply();
  }

  /** Plays a move of the player's, as the board or the field says it. */
  private async say(text: string): Promise<void> {
    try {
      const before = this.game;
      if (!before || this.isOver || before.turn !== this.settings.side || this.thinking) {
        throw new Error(this.isOver ? "the game is over" : "it is not your move");
      }
      const mover = before.turn;
      const position = positionOf(before.fen);
      const move = typedMove(position, text);
      if (!move) throw new Error(`${text} is no legal move here`);
      const uci = uciOf(position, move, before.chess960);
      const game = await this.app.link.ask<GameFacts>("position", { ...told(before), say: uci });
      if (this.game !== before) return; // a move said twice is made once
      this.clocks.moved(mover);
      this.take(game);
      void this.reply();
    } catch (error) {
      complain(error);
      throw error;
    }
  }

  /** Lets the engine move if it is its turn. */
  private async reply(): Promise<void> {
    if (!this.game || this.isOver || this.game.turn === this.settings.side || this.thinking) return;
    const thought = ++this.thought;
    this.thinking = thought;
    this.show();
    const mover = this.game.turn;
    const clock = this.settings.clock
      ? { left: Math.round(this.clocks.times[mover]), increment: this.settings.clock.increment }
      : { milliseconds: 1000 };
    try {
      const answer = await this.app.link.ask<{ game?: GameFacts }>("play", { ...told(this.game), elo: this.settings.elo, ...clock });
      if (thought !== this.thought) return;
      this.thinking = 0;
      if (!answer.game) {
        window.setTimeout(() => void this.reply(), AGAIN);
        return;
      }
      this.clocks.moved(mover);
      this.take(answer.game);
    } catch (error) {
      if (thought !== this.thought) return;
      this.thinking = 0;
      if (!(error instanceof LostError)) complain(error);
      this.show();
    }
  }

  /** What the engine thinks about now is not wanted any more. */
  private async giveUp(): Promise<void> {
    const isThinking = this.thinking > 0;
    this.thought++;
    this.thinking = 0;
    if (isThinking) await this.app.link.ask("stop", { what: "play" }).catch(() => {});
  }

  private async takeBack(): Promise<void> {
    if (!this.game?.plies.length) return;
    if (this.end?.why === "resignation") {
      this.end = null; // that alone is taken back
      this.show();
      void this.reply();
      return;
    }
    const mine = this.game.turn === this.settings.side;
    const count = Math.max(0, this.game.plies.length - (mine ? 2 : 1));
    this.clocks.halt(); // time that runs out from here on would end a game that is not played any more
    await this.giveUp();
    try {
      const game = await this.app.link.ask<GameFacts>("position", told(this.game, count));
      this.end = null;
      this.clocks.set(this.settings.clock, this.times[count]);
      this.take(game);
      void this.reply();
    } catch (error) {
      complain(error);
      this.show();
    }
  }

  private resign(): void {
    if (this.isOver) return;
    const isSure = this.resigning > 0;
    this.unsure();
    if (isSure) {
      this.finish({ result: this.settings.side === "white" ? "0-1" : "1-0", why: "resignation" });
      return;
    }
    this.resignButton.textContent = "Really resign?";
    this.resigning = window.setTimeout(() => this.unsure(), SURE);
  }

  private unsure(): void {
    window.clearTimeout(this.resigning);
    this.resigning = 0;
    this.resignButton.textContent = "Resign";
  }

  private finish(end: End): void {
    this.end = end;
    void this.giveUp();
    this.show();
  }

  private get isOver(): boolean {
    return Boolean(this.end ?? this.game?.end);
  }

  private take(game: GameFacts): void {
    this.unsure();
    this.announce(game);
    if (game.plies.length > (this.game?.plies.length ?? 0)) knock(game.plies[game.plies.length - 1].san.includes("x"));
    this.game = game;
    this.at = game.plies.length;
    this.times.length = this.at;
    this.times[this.at] = this.clocks.times;
    this.show();
  }

  /** Tells those who listen the move that was made last. */
  private announce(game: GameFacts): void {
    const last = game.plies[game.plies.length - 1];
    const isMine = game.turn !== this.settings.side;
    this.said.textContent = last ? `${isMine ? "You play" : "Quiesce plays"} ${spoken(last.san)}.` : "";
  }

  private walk(ply: number): void {
    this.at = Math.min(Math.max(ply, 0), this.game?.plies.length ?? 0);
    this.show();
  }

  private flip(): void {
    this.board.turn(OTHER[this.board.side]);
    this.show();
  }

  private show(): void {
    const game = this.game;
    if (!game) return;
    this.typed.open();
    const isLast = this.at === game.plies.length;
    const ply = game.plies[this.at - 1];
    const turn: Colour = isLast ? game.turn : (game.first + this.at) % 2 ? "black" : "white";
    const mayMove = isLast && !this.isOver && game.turn === this.settings.side && !this.thinking;
    this.board.show({
      board: ply ? ply.board : game.start, turn, last: ply?.uci, check: isLast ? game.check : ply?.check,
      dests: mayMove ? game.dests : {}, movable: mayMove ? this.settings.side : undefined,
    });
    this.moves.show(game, this.at);
    this.showNames();
    this.status.textContent = this.statusText(game);
    this.status.classList.toggle("over", this.isOver);
    this.takeBackButton.disabled = !game.plies.length;
    this.resignButton.disabled = this.isOver;
    this.clocks.show(this.board.side, this.isOver || this.isLost || !game.plies.length ? null : game.turn);
    this.keep(game);
  }

  private showNames(): void {
    const engine = `Quiesce · ${strengthText(this.settings.elo)}`;
    const isBelow = this.board.side === this.settings.side;
    this.names.top.textContent = isBelow ? engine : "You";
    this.names.bottom.textContent = isBelow ? "You" : engine;
  }

  private statusText(game: GameFacts): string {
    const end = this.end ?? game.end;
    if (end) {
      const winner = { "1-0": "White wins", "0-1": "Black wins" }[end.result] ?? "Draw";
      return `${winner} by ${end.why}. ${end.result}`;
    }
    if (this.isLost) return "No connection to the engine: the game waits for it.";
    if (this.thinking) return "Quiesce is thinking…";
    return `${game.check ? "Check. " : ""}Your move, with ${game.turn === "white" ? "White" : "Black"}.`;
  }

  private keep(game: GameFacts): void {
    const kept = { told: told(game), settings: this.settings, end: this.end, left: this.clocks.times, times: this.times, view: this.board.side };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  }

  private analyse(): void {
    if (!this.game) return;
    const { fen, moves, chess960 } = told(this.game);
    this.app.open("analyse", { fen, moves: moves.join(","), chess960: chess960 ? "1" : "" });
  }

  private async pgn(isFile: boolean): Promise<void> {
    if (!this.game) return;
    const engine = `Quiesce ${this.app.hello.version}${this.settings.elo ? ` (${this.settings.elo})` : ""}`;
    const isWhite = this.settings.side === "white";
    const result = (this.end ?? this.game.end)?.result ?? "*";
    const tree = new Tree(this.game.start, this.game.chess960);
    const today = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    const headers = { Event: "Quiesce web board", Date: today, White: isWhite ? "You" : engine, Black: isWhite ? engine : "You", Result: result };
    tree.headers = new Map(Object.entries(headers));
    tree.addAll(tree.root, told(this.game).moves);
    if (isFile) download("quiesce.pgn", writeGame(tree));
    else await copy(writeGame(tree), "PGN");
  }
}
