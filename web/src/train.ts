// Train: positions from one's own games in which a mistake was made; a wrong try is answered by what refutes it.

import type { App, Tab } from "./app";
import { Board } from "./board";
import { button, complain, download, h } from "./dom";
import { type Exercise, dropExercise, dueExercises, exercisesPgn, keptExercises, noteExercise, sanOf } from "./exercises";
import { MoveField } from "./moves";
import { START, destsOf, fenOf, moveOfUci, positionOf, spoken, typedMove, uciOf } from "./rules";
import { Why } from "./why";

const GOOD = 0.05; // expected points that a move may lose and still be as good as the answer
const OTHER = { white: "black", black: "white" } as const;
const NAMES = { white: "White", black: "Black" } as const;

export class Train implements Tab {
  readonly root = h("section", { class: "train two" });
  private readonly board = new Board("Board of the exercise");
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly told = h("p", {});
  private readonly count = h("p", { class: "quiet" });
  private readonly typed = new MoveField((text) => this.say(text));
  private readonly why: Why;
  private readonly againButton = button("Try again", () => this.start(), { class: "primary" });
  private readonly nextButton = button("Next", () => this.next(), { class: "primary" });
  private readonly answerButton = button("Show the answer", () => void this.reveal());
  private readonly goButton = button("Go to Analyse", () => this.app.open("analyse"), { class: "primary" });
  private readonly dropButton = button("Forget this one", () => this.drop());
  private readonly openButton = button("Analyse here", () => this.open());
  private readonly saveButton = button("Save as PGN", () => download("exercises.pgn", exercisesPgn()));
  private readonly kept = h("div", { class: "card" }, this.count, h("div", { class: "row" }, this.saveButton, this.dropButton));
  private exercise?: Exercise;
  private isNoted = false;

  constructor(private readonly app: App) {
    this.why = new Why(app.link, app.hello.reasons, {
      play: ({ told, uci }, moves) => this.app.open("analyse", { fen: told.fen, moves: [uci, ...moves.slice(1)].join(","), chess960: told.chess960 ? "1" : "" }),
      tree: ({ fen, moves, chess960 }) => this.app.open("quiescence", { fen, moves: moves.join(","), chess960: chess960 ? "1" : "" }),
      ended: () => {},
    });
    this.board.onMove = (uci) => void this.say(uci).catch(() => this.start());
    this.root.append(
      h("div", { class: "stage" }, this.board.root),
      h("div", { class: "side" },
        h("div", { class: "card" }, this.status, this.told, this.typed.root,
          h("div", { class: "row" }, this.goButton, this.againButton, this.nextButton, this.answerButton, this.openButton)),
        this.why.root,
        this.kept));
  }

  enter(): void {
    this.app.note("train", {});
    this.board.redraw();
    this.typed.open();
    if (!this.exercise || !keptExercises().some(({ fen }) => fen === this.exercise!.fen)) this.next();
  }

  leave(): void {}

  lost(): void {}

  key(event: KeyboardEvent): boolean {
    if (event.key === "f") this.board.turn(OTHER[this.board.side]);
    else if (event.key === "m") this.typed.focus();
    else if (event.key === "Enter" && !this.nextButton.hidden) this.next();
    else return false;
    return true;
  }

  private next(): void {
    this.exercise = dueExercises()[0];
    this.isNoted = false;
    if (this.exercise) this.board.turn(positionOf(this.exercise.fen).turn);
    this.start();
  }

  /** The position as it is asked, from the first try on. */
  private start(): void {
    const { exercise } = this;
    this.why.close();
    this.offer(exercise ? "ask" : "none");
    this.tellCount();
    if (!exercise) {
      const soon = keptExercises().sort((one, other) => one.due - other.due)[0];
      this.status.textContent = soon ? "Nothing is due now." : "There is nothing to train yet.";
      this.told.textContent = soon ? `The next one comes back ${untilText(soon.due)}.`
        : "Load one of your games in Analyse, review it, and press Train: each of your mistakes becomes an exercise.";
      this.board.show({ board: START.split(" ", 1)[0], turn: "white" });
      return;
    }
    const position = positionOf(exercise.fen);
    const number = exercise.fen.split(" ")[5];
    this.status.textContent = `${NAMES[position.turn]} to move: find a better one.`;
    this.told.textContent = `${exercise.title}. In the game ${number}${position.turn === "white" ? "." : "…"} ${sanOf(exercise.fen, exercise.played)} was played.`;
    this.show(exercise.fen);
  }

  private show(fen: string, last?: string): void {
    const position = positionOf(fen);
    const isOpen = !last;
    this.board.show({
      board: fen.split(" ", 1)[0], turn: position.turn, last, check: position.isCheck(),
      dests: isOpen ? destsOf(position, this.exercise!.chess960) : undefined, movable: isOpen ? position.turn : undefined,
    });
  }

  private offer(state: "none" | "ask" | "wrong" | "right"): void {
    this.goButton.hidden = state !== "none";
    this.againButton.hidden = state !== "wrong";
    this.nextButton.hidden = state !== "right";
    this.answerButton.hidden = state === "none" || state === "right";
    this.openButton.hidden = this.dropButton.hidden = state === "none";
    this.kept.hidden = !keptExercises().length;
    this.typed.root.hidden = state === "none";
  }

  private async say(text: string): Promise<void> {
    const { exercise } = this;
    if (!exercise) return;
    const position = positionOf(exercise.fen);
    const move = typedMove(position, text);
    if (!move) {
      const error = new Error(`${text} is no legal move here`);
      complain(error);
      throw error;
    }
    await this.judge(exercise, uciOf(position, move, exercise.chess960));
  }

  /** Right is the answer, and whatever is as good; anything else is refuted. */
  private async judge(exercise: Exercise, uci: string): Promise<void> {
    const san = this.play(exercise, uci);
    const isAnswer = uci === exercise.best;
    this.status.textContent = isAnswer ? `${san} is right.` : `${san}…`;
    if (isAnswer) this.end(exercise, true);
    const facts = await this.explain(exercise, uci, san);
    if (!facts || this.exercise !== exercise || isAnswer) return;
    const isGood = uci !== exercise.played && facts.loss < GOOD;
    this.status.textContent = isGood ? `${san} is as good as ${sanOf(exercise.fen, exercise.best)}: right.` : `${san} is not it.`;
    if (isGood) this.end(exercise, true);
    else {
      this.noteOnce(exercise, false);
      this.offer("wrong");
    }
  }

  private async reveal(): Promise<void> {
    const { exercise } = this;
    if (!exercise) return;
    const san = this.play(exercise, exercise.best);
    this.status.textContent = `The answer is ${san}.`;
    this.end(exercise, false);
    await this.explain(exercise, exercise.best, san);
  }

  private play(exercise: Exercise, uci: string): string {
    const position = positionOf(exercise.fen);
    const san = sanOf(exercise.fen, uci);
    position.play(moveOfUci(position, uci)!);
    this.show(fenOf(position), uci);
    this.board.root.setAttribute("aria-description", spoken(san));
    return san;
  }

  private explain(exercise: Exercise, uci: string, san: string): ReturnType<Why["ask"]> {
    const { fen, chess960 } = exercise;
    const [, turn, , , , number] = fen.split(" ");
    const first = 2 * (Number(number) - 1) + (turn === "b" ? 1 : 0);
    const name = `Why ${number}${turn === "b" ? "…" : "."} ${san}?`;
    return this.why.ask({ told: { fen, moves: [], chess960 }, uci, name, first, side: this.board.side });
  }

  private end(exercise: Exercise, isSolved: boolean): void {
    this.noteOnce(exercise, isSolved);
    this.offer("right");
  }

  /** The first try counts. */
  private noteOnce(exercise: Exercise, isSolved: boolean): void {
    if (!this.isNoted) noteExercise(exercise, isSolved);
    this.isNoted = true;
    this.tellCount();
  }

  private tellCount(): void {
    const all = keptExercises().length;
    this.count.textContent = `${dueExercises().length} due now, ${all} in all. They are kept in this browser.`;
  }

  private drop(): void {
    if (this.exercise) dropExercise(this.exercise);
    this.next();
  }

  private open(): void {
    if (this.exercise) this.app.open("analyse", { fen: this.exercise.fen, chess960: this.exercise.chess960 ? "1" : "" });
  }
}

function untilText(due: number): string {
  const minutes = Math.max(1, Math.ceil((due - Date.now()) / 60_000));
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}
