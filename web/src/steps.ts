// Buttons to walk through a game, for thumbs and mice.

import { button, h } from "./dom";

const STEPS: [string, string, string][] = [
  ["Home", "«", "First position"], ["ArrowLeft", "‹", "One move back"], ["ArrowRight", "›", "One move forward"], ["End", "»", "Last position"],
];

export function steps(walk: (key: string) => void, flip: () => void): HTMLElement {
  return h("div", { class: "steps", role: "group", "aria-label": "Walk through the game" },
    ...STEPS.map(([key, sign, name]) => button(sign, () => walk(key), { "aria-label": name, title: name })),
    button("⇅", flip, { "aria-label": "Flip", title: "Flip (f)" }));
}
