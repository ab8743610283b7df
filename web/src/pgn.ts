// PGN, read strictly and written whole: variations, comments, marks, arrows, clocks. Nothing is passed over in silence.

import { type ChildNode, type Node as Read, type PgnNodeData, Node as Written, ChildNode as WrittenChild, PgnParser, emptyHeaders, makeComment, makePgn, parseComment } from "chessops/pgn";
import { parseSan } from "chessops/san";
import { LANGUAGES, MARKS, isMove, plain } from "./notation";
import { START, positionOf } from "./rules";
import { type Node, Tree } from "./tree";

/** One game of a text, not played through yet. */
export interface Found { headers: Map<string, string>; text: string }
export interface Game { tree: Tree; note: string }

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const TOKEN = /\{[^}]*\}?|;[^\n]*|^%[^\n]*|\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]|\\.)*)"?\s*\]?|\$\d+|[()]|[0Oo][-–][0Oo](?:[-–][0Oo])?[+#]?|1[-–]0|0[-–]1|1\/2[-–]1\/2|½[-–]½|\*|[^\s{};()$]+/gm;
const RESULT = /^(1[-–]0|0[-–]1|1\/2[-–]1\/2|½[-–]½|\*)$/;
const LARGEST = 50_000_000; // what the parser may take for one game
const WIDTH = 80;

/** The games of a text, in their order. */
export function gamesIn(text: string): Found[] {
  const games: Found[] = [];
  let headers = new Map<string, string>();
  let start = -1; // of the movetext
  let depth = 0;
  let hasMove = false;
  const close = (end: number): void => {
    if (start >= 0 || headers.size) games.push({ headers, text: start < 0 ? "" : text.slice(start, end) });
    headers = new Map();
    start = -1;
    depth = 0;
    hasMove = false;
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token, name, value] = match;
    if (name !== undefined) {
      if (start >= 0) close(match.index);
      headers.set(name, value.replace(/\\(.)/g, "$1"));
    } else if (/^[{;]/.test(token) && start < 0 && !headers.size && games.length) {
      games[games.length - 1].text += ` ${token}\n`; // what is said after a result
    } else if (!token.startsWith("%")) {
      if (depth === 0 && hasMove && /^1\.(?!\.)/.test(token)) close(match.index);
      hasMove ||= /[a-h][1-8]|[O0]-/.test(token) && !/^[{;]/.test(token);
      if (start < 0) start = match.index;
      if (token === "(") depth++;
      else if (token === ")") depth--;
      else if (RESULT.test(token) && depth <= 0) {
        if (!headers.has("Result") && token !== "*") headers.set("Result", token.replace("–", "-").replace("½-½", "1/2-1/2"));
        close(match.index + token.length);
      }
    }
  }
  close(text.length);
  return games.filter((game, index) => game.headers.size || index === 0 || /[a-h][1-8]|[Oo0]-/.test(game.text));
}

/** A game played through; throws an Error whose sentence says where its main line cannot be read. */
export function readGame(found: Found): Game {
  const tokens = [...found.text.matchAll(TOKEN)].map(([token]) => token).filter((token) => !token.startsWith("%"));
  const letters = new Set(tokens.map((token) => /^(?:\d+\.+)?([A-ZÀ-ЯĀ-ž]р?)(?=[a-h1-8x:])/u.exec(plain(token))?.[1]).filter((letter) => letter !== undefined));
  let trouble: Error | undefined;
  for (const language of LANGUAGES) {
    if (![...letters].every((letter) => language.letters.includes(letter!))) continue;
    try {
      const game = played(found, tokens.map((token) => /^[{;]/.test(token) ? token : language.translate(token)));
      if (language.name) game.note = [`read with the letters of ${language.name}`, game.note].filter(Boolean).join("; ");
      return game;
    } catch (error) {
      trouble ??= error as Error;
    }
  }
  throw trouble ?? new Error(`the game cannot be read: nothing here knows the pieces ${[...letters].join(" ")}`);
}

function played(found: Found, tokens: string[]): Game {
  const { headers } = found;
  const fen = headers.get("FEN");
  const variant = (headers.get("Variant") ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
  if (variant && !/^(standard|chess960|fischerandom|fischerrandom|fromposition|normal)$/.test(variant)) throw new Error(`the game cannot be read: it is ${headers.get("Variant")}`);
  const tree = new Tree(fen ?? START, /960|random/.test(variant));
  tree.headers = new Map(headers);
  for (const name of ["FEN", "SetUp", "Variant"]) tree.headers.delete(name);
  let read: Read<PgnNodeData> | undefined;
  let opening: string[] = [];
  const parser = new PgnParser((game, error) => {
    if (error) throw new Error("the game is too long");
    read ??= game.moves;
    opening = opening.length ? opening : game.comments ?? [];
  }, emptyHeaders, LARGEST);
  parser.parse(cleaned(tokens));
  const left = read ? grow(tree, read) : 0;
  annotate(tree.root, opening);
  if (!tree.root.children.length && fen === undefined) throw new Error("there is no move in this text");
  return { tree, note: left ? `${left} variation${left > 1 ? "s" : ""} with an illegal move ${left > 1 ? "were" : "was"} cut short` : "" };
}

/** The movetext in one line, as the parser takes it; throws where a word is neither move nor mark. */
function cleaned(tokens: string[]): string {
  const words: string[] = [];
  let number = 1;
  for (const token of tokens) {
    if (/^\{[^}]*$/.test(token)) throw new Error("the game cannot be read: a comment has no end");
    if (token.startsWith("{")) words.push(token.replace(/\s+/g, " ").replace(/\}?$/, "}"));
    else if (token.startsWith(";")) words.push(`{${token.slice(1).replace(/[{}]/g, "").trim()}}`);
    else if (/^(\$\d+|[()])$/.test(token)) words.push(token);
    else if (!RESULT.test(token)) {
      number = Number(/^\d+(?=\.)/.exec(token)?.[0] ?? number);
      words.push(word(token, number));
    }
  }
  return `${words.filter(Boolean).join(" ")} *`;
}

function word(token: string, number: number): string {
  const bare = plain(token).replace(/^(\d+(\.|…)*|[.…]+)/, "");
  if (!bare || /^(e\.?p\.?|ch|dbl|mate|D|RR)$/i.test(bare)) return "";
  if (MARKS[bare] !== undefined) return `$${MARKS[bare]}`;
  const [, san, marks] = /^(.*?)([!?]*)$/.exec(bare)!;
  if (!san || isMove(san)) return `${san.replace(":", "x")}${marks ? ` ${marks}` : ""}`;
  throw new Error(`the game cannot be read: “${shortened(token)}” after move number ${number} is no move`);
}

function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
}

/** Plays what was parsed; throws at an illegal move of the main line, and returns how many variations were cut short. */
function grow(tree: Tree, read: Read<PgnNodeData>): number {
  let cut = 0;
  const stack: [Read<PgnNodeData>, Node, boolean][] = [[read, tree.root, true]];
  while (stack.length) {
    const [from, to, isMain] = stack.pop()!;
    from.children.forEach((child: ChildNode<PgnNodeData>, index) => {
      const isFirst = isMain && index === 0;
      const move = parseSan(positionOf(to.fen), child.data.san);
      if (!move) {
        if (isFirst) throw new Error(`the game cannot be read: ${moveText(to, child.data.san)}`);
        cut++;
        return;
      }
      const node = tree.add(to, move);
      node.nags = [...new Set([...node.nags, ...(child.data.nags ?? [])])];
      const before = (child.data.startingComments ?? []).map((text) => text.trim()).join(" ");
      node.before = [node.before, before].filter(Boolean).join(" ");
      annotate(node, child.data.comments ?? []);
      stack.push([child, node, isFirst]);
    });
  }
  return cut;
}

function moveText(before: Node, san: string): string {
  const [, turn, , , , full] = before.fen.split(" ");
  const where = `${full}${turn === "w" ? "." : "…"} ${san}`;
  return /^(--|Z0|0000|@@@@)$/.test(san) ? `${where} is a null move, which no game has` : `${where} is illegal there`;
}

function annotate(node: Node, comments: string[]): void {
  for (const text of comments) {
    const { text: said, shapes, clock, emt, evaluation } = parseComment(text);
    node.comment = [node.comment, said.trim()].filter(Boolean).join(" ");
    node.shapes.push(...shapes);
    node.clock = clock ?? node.clock;
    node.spent = emt ?? node.spent;
    node.evaluation = evaluation ?? node.evaluation;
  }
}

function commentsOf(node: Node): string[] {
  const { comment: text, shapes, clock, spent: emt, evaluation } = node;
  const comment = makeComment({ text, shapes, clock, emt, evaluation });
  return comment ? [comment] : [];
}

/** A tree as PGN, with all it holds. */
export function writeGame(tree: Tree): string {
  const headers = new Map(ROSTER.map((name) => [name, tree.headers.get(name) ?? (name === "Result" ? "*" : name === "Date" ? "????.??.??" : "?")]));
  for (const [name, value] of tree.headers) headers.set(name, value);
  if (tree.chess960) headers.set("Variant", "Chess960");
  if (tree.root.fen !== START) headers.set("SetUp", "1").set("FEN", tree.root.fen);
  for (const [name, value] of headers) headers.set(name, value.replace(/[\x00-\x1f]/g, " "));
  const moves = new Written<PgnNodeData>();
  const stack: [Node, Written<PgnNodeData>][] = [[tree.root, moves]];
  while (stack.length) {
    const [from, to] = stack.pop()!;
    for (const child of from.children) {
      const { san, nags, before } = child;
      const written = new WrittenChild<PgnNodeData>({ san, nags, startingComments: before ? [before] : [], comments: commentsOf(child) });
      to.children.push(written);
      stack.push([child, written]);
    }
  }
  const text = makePgn({ headers, comments: commentsOf(tree.root), moves });
  const movetext = text.lastIndexOf("\n\n") + 2;
  return text.slice(0, movetext) + wrapped(text.slice(movetext));
}

function wrapped(text: string): string {
  const lines: string[] = [""];
  for (const part of text.trim().split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + part.length > WIDTH) lines.push(part);
    else lines[lines.length - 1] = last ? `${last} ${part}` : part;
  }
  return `${lines.join("\n")}\n`;
}

/** Who played, in a line; empty where nobody is named. */
export function titleOf(headers: Map<string, string>): string {
  const known = (name: string): string => (headers.get(name) ?? "").replace(/^[?*.\s]+$/, "");
  const [white, black, result] = ["White", "Black", "Result"].map(known);
  const names = white || black ? `${white || "?"} – ${black || "?"}` : "";
  return [names, names && result].filter(Boolean).join(", ") || known("Event");
}
