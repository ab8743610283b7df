// Small helpers for building the page.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An element with properties, listeners (onclick...), attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "class") element.className = value as string;
    else if (name in element && !name.includes("-") && name !== "list") (element as unknown as Props)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "");
}

/** A button with a word, a tip that names its key, and what it does. */
export function button(word: string, act: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: act, ...props }, word);
}

let place: HTMLElement | undefined;

/** A message that goes away by itself; errors are read out at once. */
export function toast(text: string, isError = false): void {
  place ??= document.body.appendChild(h("div", { class: "toasts", "aria-live": "assertive" }));
  const note = h("div", { class: isError ? "toast error" : "toast", role: isError ? "alert" : "status" }, text);
  place.replaceChildren(note);
  window.setTimeout(() => note.remove(), isError ? 9000 : 3000);
}

export function complain(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), true);
}

/** Copies a text, or shows it for copying where browsers forbid that. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    window.prompt(`Copy ${what}:`, text);
  }
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A score as people read it. */
export function scoreText(score: { cp: number | null; mate: number | null }): string {
  return score.mate !== null ? `#${score.mate}` : pawns(score.cp ?? 0);
}

export function pawns(cp: number): string {
  return `${cp > 0 ? "+" : cp < 0 ? "−" : ""}${(Math.abs(cp) / 100).toFixed(2)}`;
}

export function short(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(2)} M`;
  if (count >= 1e4) return `${(count / 1e3).toFixed(0)} k`;
  return count.toLocaleString("en");
}

/** A sentence with minus signs and thousands as everywhere else on the page. */
export function printed(text: string): string {
  return text.replace(/(?<![\w])-(?=\d)/g, "−").replace(/\b\d{4,}\b/g, (number) => Number(number).toLocaleString("en"));
}
