// Two clocks; they run here, in the browser, and the engine is told what it has left.

import { h } from "./dom";
import type { Colour } from "./wire";

export interface TimeControl { initial: number; increment: number }
export interface Times { white: number; black: number }

const TICK = 100;
const LOW = 20_000;

export class Clocks {
  readonly top = h("span", { class: "clock", role: "timer" });
  readonly bottom = h("span", { class: "clock", role: "timer" });
  private left: Times = { white: 0, black: 0 };
  private control: TimeControl | null = null;
  private side: Colour = "white";
  private running: Colour | null = null;
  private since = performance.now();

  constructor(private readonly onFlag: (side: Colour) => void) {
    window.setInterval(() => this.tick(), TICK);
  }

  /** Stopped, with so much left, or all the time where nothing is said. */
  set(control: TimeControl | null, left?: Times): void {
    this.control = control;
    this.left = { white: control?.initial ?? 0, black: control?.initial ?? 0, ...left };
    this.running = null;
  }

  /** What is left now, in milliseconds. */
  get times(): Times {
    this.tick();
    return { ...this.left };
  }

  /** Nobody's time runs. */
  halt(): void {
    this.tick();
    this.running = null;
  }

  /** A side has moved: its increment is added. */
  moved(side: Colour): void {
    this.tick();
    if (this.control) this.left[side] += this.control.increment;
  }

  /** Shows them for a board seen from one side, and lets one run. */
  show(side: Colour, running: Colour | null): void {
    this.side = side;
    this.tick();
    this.running = this.control ? running : null;
    this.draw();
  }

  private tick(): void {
    const now = performance.now();
    const spent = now - this.since;
    this.since = now;
    if (!this.running) return;
    const side = this.running;
    this.left[side] = Math.max(0, this.left[side] - spent);
    this.draw();
    if (this.left[side] === 0) {
      this.running = null;
      this.onFlag(side);
    }
  }

  private draw(): void {
    const above: Colour = this.side === "white" ? "black" : "white";
    for (const [element, colour] of [[this.top, above], [this.bottom, this.side]] as const) {
      element.hidden = !this.control;
      element.textContent = clockText(this.left[colour]);
      element.classList.toggle("running", this.running === colour);
      element.classList.toggle("low", this.left[colour] < LOW);
    }
  }
}

function clockText(ms: number): string {
  const seconds = ms / 1000;
  const minutes = Math.floor(seconds / 60);
  if (seconds < 20) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
