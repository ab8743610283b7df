// Files of games kept in this browser: each game under a key of its own, so that a move costs little to keep.

import { toast } from "./dom";
import { type Found, titleOf } from "./pgn";
import type { Colour, Verdict } from "./wire";

const FILE = "quiesce:file:";
const GAME = "quiesce:game:";

export interface File { id: string; name: string; when: number; titles: string[] }
/** One game of a file: its PGN, where one is in it, and what a review found on its main line. */
export interface KeptGame { pgn: string; place: number[]; verdicts: Verdict[]; side: Colour }

const MOST_FILES = 100; // then the oldest goes

let isFull = false;

export function newFile(name: string, games: Found[]): File {
  const id = `${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;
  const file = { id, name, when: Date.now(), titles: games.map((game, index) => titleOf(game.headers) || `Game ${index + 1}`) };
  games.forEach((game, index) => keepText(`${GAME}${id}:${index}`, JSON.stringify({ pgn: textOf(game), place: [], verdicts: [], side: "white" })));
  keepFile(file);
  keptFiles().slice(MOST_FILES).forEach(dropFile);
  return file;
}

function textOf({ headers, text }: Found): string {
  const lines = [...headers].map(([name, value]) => `[${name} "${value.replace(/([\\"])/g, "\\$1")}"]`);
  return `${lines.join("\n")}\n\n${text}`;
}

/** Adds a game to a file, as its last; returns its number. */
export function addGame(file: File, title: string, pgn: string): number {
  const index = file.titles.push(title) - 1;
  keepGame(file, index, { pgn, place: [], verdicts: [], side: "white" });
  keepFile(file);
  return index;
}

/** Takes a game out of a file; those after it move up. */
export function dropGame(file: File, index: number): void {
  for (let at = index; at + 1 < file.titles.length; at++) keepText(`${GAME}${file.id}:${at}`, localStorage.getItem(`${GAME}${file.id}:${at + 1}`) ?? "");
  localStorage.removeItem(`${GAME}${file.id}:${file.titles.length - 1}`);
  file.titles.splice(index, 1);
  keepFile(file);
}

export function keepFile(file: File): void {
  keepText(FILE + file.id, JSON.stringify({ ...file, when: Date.now() }));
}

export function keepGame(file: File, index: number, game: KeptGame): void {
  keepText(`${GAME}${file.id}:${index}`, JSON.stringify(game));
}

export function keptFile(id: string): File | null {
  return parsed<File>(localStorage.getItem(FILE + id));
}

export function keptGame(id: string, index: number): KeptGame | null {
  return parsed<KeptGame>(localStorage.getItem(`${GAME}${id}:${index}`));
}

/** All files, the newest first. */
export function keptFiles(): File[] {
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(FILE)).map((key) => key.slice(FILE.length));
  return ids.map(keptFile).filter((file) => file !== null).sort((one, other) => other.when - one.when);
}

export function dropFile(file: File): void {
  localStorage.removeItem(FILE + file.id);
  file.titles.forEach((_, index) => localStorage.removeItem(`${GAME}${file.id}:${index}`));
  isFull = false;
}

function keepText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    if (!isFull) toast("This browser has no room left to keep games: save the PGN, or forget some under Games.", true);
    isFull = true;
  }
}

function parsed<T>(text: string | null): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}
