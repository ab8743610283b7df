// How the engine is asked: lines, threads, memory, time; kept in this browser.

import { h } from "./dom";
import type { Wishes } from "./look";
import type { Hello } from "./wire";

const KEPT = "quiesce-engine";
const TIMES: [number, string][] = [[0, "until it is stopped"], [1, "1 second"], [5, "5 seconds"], [30, "30 seconds"], [120, "2 minutes"]];

export class WishList {
  readonly root = h("details", { class: "wishes" }, h("summary", {}, "Engine settings"));
  readonly lines: HTMLSelectElement;
  private readonly threads: HTMLSelectElement;
  private readonly memory: HTMLSelectElement;
  private readonly time: HTMLSelectElement;

  constructor(hello: Hello, private readonly onChange: () => void) {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Wishes>;
    const { threads, megabytes } = hello.engine;
    const sizes = [0, 64, 128, 256, 512, 1024].filter((size) => size <= megabytes);
    this.lines = this.select("Lines", range(1, hello.lines).map((count) => [count, String(count)]), kept.lines ?? 3);
    this.threads = this.select("Threads", range(1, threads).map((count) => [count, String(count)]), kept.threads ?? 1);
    this.memory = this.select("Memory", sizes.map((size) => [size, size ? `${size} MB` : "as the server has it"]), kept.megabytes ?? 0);
    this.time = this.select("Time a position", TIMES, kept.seconds ?? 0);
    this.root.append(h("div", { class: "fields" }, ...[this.threads, this.memory, this.time].map((field) =>
      h("label", {}, h("span", {}, field.getAttribute("aria-label")!), field))),
      h("p", { class: "quiet" }, "More threads and memory are used only while nobody else waits for the engine."));
  }

  get values(): Wishes {
    const [lines, threads, megabytes, seconds] = [this.lines, this.threads, this.memory, this.time].map((field) => Number(field.value));
    return { lines, threads, megabytes, seconds };
  }

  private select(name: string, options: [number, string][], chosen: number): HTMLSelectElement {
    return h("select", { "aria-label": name, onchange: () => {
      localStorage.setItem(KEPT, JSON.stringify(this.values));
      this.onChange();
    } }, ...options.map(([value, word]) => h("option", { value: String(value), selected: value === chosen }, word)));
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
