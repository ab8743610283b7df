// The page: its tabs, one connection, keys, light and dark.

import "./style.css";
import { Analyse } from "./analyse";
import { type App, type Tab, TAB_NAMES, TABS, type TabName, addressOf, readAddress } from "./app";
import { Compare } from "./compare";
import { button, h, toast } from "./dom";
import { helpDialog } from "./help";
import { Link } from "./link";
import { Play } from "./play";
import { Quiescence } from "./quiet";
import { soundIsOn, toggleSound } from "./sound";
import { Train } from "./train";
import type { Hello } from "./wire";

const MAKERS: Record<TabName, new (app: App) => Tab> = { play: Play, analyse: Analyse, train: Train, quiescence: Quiescence, compare: Compare };
const THEME = "quiesce-theme";
const BOARD = "quiesce-board";
const BOARDS = ["blue", "green", "brown", "grey"]; // as style.css has them, the first as it is by itself

class Page {
  private readonly link = new Link();
  private readonly state = h("span", { class: "state", role: "status" }, "connecting…");
  private readonly main = h("main", {}, h("h1", { class: "heard" }, "Quiesce, a chess engine's board"));
  private readonly buttons = new Map<TabName, HTMLButtonElement>();
  private tabs?: Map<TabName, Tab>;
  private shown?: TabName;
  private readonly help = helpDialog();

  constructor() {
    setTheme(localStorage.getItem(THEME));
    setBoard(localStorage.getItem(BOARD));
    const strip = h("div", { class: "tabs", role: "tablist", "aria-label": "What to do" });
    for (const name of TAB_NAMES) {
      const tab = button(TABS[name], () => this.open(name), { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` });
      tab.addEventListener("keydown", (event) => this.walkTabs(event, name));
      this.buttons.set(name, tab);
      strip.append(tab);
    }
    const sound = button("♪", () => sound.setAttribute("aria-pressed", String(toggleSound())), {
      class: "icon", title: "Sounds", "aria-label": "Sounds", "aria-pressed": String(soundIsOn()),
    });
    document.body.append(
      h("header", {},
        h("a", { class: "brand", href: "#play" }, h("img", { src: "icon.svg", alt: "", width: 26, height: 26 }), "Quiesce"),
        strip,
        h("span", { class: "tools" },
          this.state, sound,
          button("▦", nextBoard, { class: "icon", title: "Colours of the board", "aria-label": "Colours of the board" }),
          button("◐", flipTheme, { class: "icon", title: "Light or dark", "aria-label": "Light or dark" }),
          button("?", () => this.help.showModal(), { class: "icon", title: "Keys (?)", "aria-label": "Keys and help" }),
        ),
      ),
      this.main, this.help,
    );
    this.link.onHello = (hello) => this.ready(hello);
    this.link.onLost = (why) => this.lost(why);
    this.link.open();
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", (event) => this.key(event));
    letGoAfterClicks();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.front?.leave() : this.follow()));
  }

  private get front(): Tab | undefined {
    return this.shown && this.tabs?.get(this.shown);
  }

  private ready(hello: Hello): void {
    this.state.textContent = "ready";
    this.state.className = "state on";
    if (!this.tabs) {
      const app: App = {
        link: this.link, hello,
        open: (tab, query) => this.open(tab, query),
        note: (tab, query) => {
          if (tab === readAddress().tab) history.replaceState(null, "", addressOf(tab, query)); // answers may come late
        },
      };
      this.tabs = new Map(TAB_NAMES.map((name) => [name, new MAKERS[name](app)]));
      for (const [name, tab] of this.tabs) {
        tab.root.id = `panel-${name}`;
        tab.root.setAttribute("role", "tabpanel");
        tab.root.setAttribute("aria-labelledby", `tab-${name}`);
        tab.root.hidden = true;
        this.main.append(tab.root);
      }
    }
    this.follow();
  }

  private lost(why: string): void {
    this.state.textContent = why;
    this.state.className = "state off";
    this.front?.leave();
    this.tabs?.forEach((tab) => tab.lost());
  }

  private open(tab: TabName, query: Record<string, string> = {}): void {
    const address = addressOf(tab, query);
    if (location.hash === address) this.follow();
    else location.hash = address;
  }

  /** Shows what the address names. */
  private follow(): void {
    if (!this.tabs) return;
    const { tab, query } = readAddress();
    if (this.shown !== tab) {
      this.front?.leave();
      for (const [name, other] of this.tabs) {
        other.root.hidden = name !== tab;
        this.buttons.get(name)?.setAttribute("aria-selected", String(name === tab));
        if (this.buttons.has(name)) this.buttons.get(name)!.tabIndex = name === tab ? 0 : -1;
      }
      this.shown = tab;
      window.scrollTo(0, 0);
      document.title = `${TABS[tab]} · Quiesce`;
    }
    this.front?.enter(query);
  }

  private walkTabs(event: KeyboardEvent, name: TabName): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = TAB_NAMES[(TAB_NAMES.indexOf(name) + step + TAB_NAMES.length) % TAB_NAMES.length];
    this.open(next);
    this.buttons.get(next)?.focus();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (keepsItsKeys(target, event.key)) return;
    const tab = TAB_NAMES[Number(event.key) - 1];
    if (event.key === "?") this.help.showModal();
    else if (tab) this.open(tab);
    else if (!this.front?.key(event)) return;
    event.preventDefault();
  }
}

/** Is a key what the control that has the focus needs for itself? */
function keepsItsKeys(target: HTMLElement, key: string): boolean {
  if (/^(TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return true;
  if (target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type)) return true;
  return (key === " " || key === "Enter") && /^(INPUT|BUTTON|A|SUMMARY)$/.test(target.tagName);
}

/** What was clicked or chosen by a pointer does not keep the focus, so that the next key means the board. */
function letGoAfterClicks(): void {
  let isPointer = false;
  const letGo = (event: Event): void => {
    const control = (event.target as Element).closest?.<HTMLElement>("button, select, input[type=checkbox], summary");
    if (isPointer && control && !control.closest("dialog") && control === document.activeElement) control.blur();
  };
  document.addEventListener("pointerdown", () => (isPointer = true), true);
  document.addEventListener("keydown", () => (isPointer = false), true);
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof HTMLSelectElement)) letGo(event);
  });
  document.addEventListener("change", letGo);
}

function setTheme(theme: string | null): void {
  if (theme) document.documentElement.dataset.theme = theme;
}

function flipTheme(): void {
  const isDark = (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  localStorage.setItem(THEME, isDark ? "light" : "dark");
  setTheme(isDark ? "light" : "dark");
}

function setBoard(board: string | null): void {
  document.documentElement.dataset.board = board ?? BOARDS[0];
}

function nextBoard(): void {
  const next = BOARDS[(BOARDS.indexOf(document.documentElement.dataset.board ?? BOARDS[0]) + 1) % BOARDS.length];
  localStorage.setItem(BOARD, next);
  setBoard(next);
  toast(`The board is ${next}`);
}

new Page();
