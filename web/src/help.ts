// The dialog that lists the keys.

import { TABS, TAB_NAMES } from "./app";
import { button, h } from "./dom";

const KEYS: [string, string][] = [
  [TAB_NAMES.map((_, index) => index + 1).join(" "), Object.values(TABS).join(", ")],
  ["← →", "one move back, one forward"],
  ["↑ ↓", "the other variations of this move (Analyse)"],
  ["Home End", "first move, last move"],
  ["f", "flip the board"],
  ["m", "type a move"],
  ["n", "new game (Play)"],
  ["u", "take back (Play)"],
  ["space", "engine on and off (Analyse)"],
  ["x", "what the other side threatens (Analyse)"],
  ["w W", "why this move, why not another (Analyse)"],
  ["c", "comment on the move (Analyse)"],
  ["p P", "promote the variation, make it the main line (Analyse)"],
  ["Delete z", "delete from here, bring it back (Analyse)"],
  ["[ ] g", "the game before, the next, all games (Analyse)"],
  ["e", "set up a position (Analyse)"],
  ["← → ↑ ↓", "walk the tree, when it has the focus (Quiescence)"],
  ["Enter", "fold or unfold a node"],
  ["+ − 0", "zoom in, out, fit"],
  ["/", "find in the tree (Quiescence)"],
  ["a r", "open the node in Analyse, put it on top (Quiescence)"],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h("dialog", { class: "help", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, ...key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, what)])),
    h("p", { class: "quiet" }, "Moves may be made by mouse, by touch, or typed. Nothing leaves this machine. The board is chessground, the rules chessops, the tree d3: ",
      h("a", { href: "licences.txt" }, "licences"), "."),
    button("Close", () => dialog.close(), { class: "primary", autofocus: true }),
  );
  return dialog;
}
