// What the tabs share: the link to the server, what it said of itself, and the way from one tab to another.

import type { Link } from "./link";
import type { Hello } from "./wire";

/** The tabs by the names that addresses have for them, in their order, with the words people read. */
export const TABS = { play: "Play", analyse: "Analyse", train: "Train", quiescence: "Quiescence", compare: "Compare" } as const;

export type TabName = keyof typeof TABS;
export const TAB_NAMES = Object.keys(TABS) as TabName[];

export interface Tab {
  readonly root: HTMLElement;
  /** Show what an address asks for; called each time the tab comes to the front, and when the connection is back. */
  enter(query: URLSearchParams): void;
  /** Another tab comes to the front, or the page is hidden: stop what runs. */
  leave(): void;
  /** The connection is gone; `enter` is called when it is back. */
  lost(): void;
  /** Returns whether the key meant something. */
  key(event: KeyboardEvent): boolean;
}

export interface App {
  link: Link;
  hello: Hello;
  open(tab: TabName, query?: Record<string, string>): void;
  /** Writes the address of what is shown, without a new entry in the browser's history; a tab that was left writes none. */
  note(tab: TabName, query: Record<string, string>): void;
}

export function addressOf(tab: TabName, query: Record<string, string> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== "");
  const text = new URLSearchParams(filled).toString();
  return text ? `#${tab}?${text}` : `#${tab}`;
}

export function readAddress(): { tab: TabName; query: URLSearchParams } {
  const [name, query = ""] = location.hash.slice(1).split("?", 2);
  const tab = TAB_NAMES.find((known) => known === name) ?? TAB_NAMES[0];
  return { tab, query: new URLSearchParams(query) };
}
