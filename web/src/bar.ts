// The evaluation bar: White's expected points, with the score in it.

import { h, scoreText } from "./dom";
import type { Colour, Score } from "./wire";

export class Bar {
  readonly root = h("div", { class: "bar", role: "meter", "aria-label": "White's expected points", "aria-valuemin": "0", "aria-valuemax": "1" }, h("i", {}));
  private readonly text = h("b", {});

  constructor() {
    this.root.append(this.text);
    this.show();
  }

  turn(side: Colour): void {
    this.root.classList.toggle("flipped", side === "black");
  }

  show(score?: Score): void {
    const points = score?.points ?? 0.5;
    this.root.style.setProperty("--points", String(points));
    this.root.setAttribute("aria-valuenow", points.toFixed(2));
    this.root.setAttribute("aria-valuetext", score ? scoreText(score) : "unknown");
    this.text.textContent = !score ? "" : score.mate !== null ? scoreText(score) : (Math.abs(score.cp ?? 0) / 100).toFixed(1);
    this.root.classList.toggle("behind", points < 0.5);
  }
}
