// A switch for every technique of quiescence, with its numbers; only what differs from the defaults is told on.

import { button, h } from "./dom";
import type { Technique } from "./wire";

const NARROW = 820; // px of a window on which the switches are folded at first

export class Switches {
  readonly root = h("details", { class: "switches" });
  private readonly heading = h("h2", {}, "Techniques");
  private readonly defaults = new Map<string, number>();
  private readonly inputs = new Map<string, HTMLInputElement>();

  /** `isWhole` where the techniques are those of the whole search: then they are folded at first, and named by where they belong. */
  constructor(techniques: Technique[], private readonly onChange: () => void, private readonly kind: { isWhole?: boolean } = {}) {
    const rows = techniques.map((technique) => this.row(technique));
    this.root.open = !kind.isWhole && window.innerWidth > NARROW;
    this.root.append(
      h("summary", {}, this.heading),
      h("div", { class: "row" },
        button("Defaults", () => this.change({})),
        button("All off", () => this.change(Object.fromEntries(techniques.map((one) => [one.name, Number(one.plain)]))))),
      h("div", { class: "rows" }, ...rows),
    );
    this.mark();
  }

  /** What differs from the defaults. */
  get values(): Record<string, number> {
    const found: Record<string, number> = {};
    for (const [name, input] of this.inputs) {
      const value = input.type === "checkbox" ? Number(input.checked) : input.valueAsNumber;
      if (Number.isInteger(value) && value !== this.defaults.get(name)) found[name] = value;
    }
    return found;
  }

  /** Takes values; options that are not named have their defaults. */
  set(values: Record<string, number>): void {
    for (const [name, input] of this.inputs) {
      const value = values[name] ?? this.defaults.get(name) ?? 0;
      if (input.type === "checkbox") input.checked = value !== 0;
      else input.value = String(value);
    }
    this.mark();
  }

  /** Do the switches stand as these values say? */
  are(values: Record<string, number>): boolean {
    const wanted = Object.entries(values).filter(([name, value]) => this.inputs.has(name) && this.defaults.get(name) !== value);
    const found = this.values;
    return wanted.length === Object.keys(found).length && wanted.every(([name, value]) => found[name] === value);
  }

  private change(values: Record<string, number>): void {
    this.set(values);
    this.onChange();
  }

  private changed(): void {
    this.mark();
    this.onChange();
  }

  private row(technique: Technique): HTMLElement {
    const box = h("input", { type: "checkbox", role: "switch", checked: technique.default, name: technique.name, onchange: () => this.changed() });
    this.defaults.set(technique.name, Number(technique.default));
    this.inputs.set(technique.name, box);
    const numbers = technique.numbers.map((spin) => {
      const field = h("input", {
        type: "number", min: String(spin.low), max: String(spin.high), value: String(spin.default), name: spin.name,
        onchange: () => {
          if (field.checkValidity() && Number.isInteger(field.valueAsNumber)) this.changed();
          else field.reportValidity();
        },
      });
      this.defaults.set(spin.name, spin.default);
      this.inputs.set(spin.name, field);
      return h("label", { class: "spin", title: spin.why }, h("span", {}, spin.why), field);
    });
    return h("div", { class: "technique" },
      h("label", { class: "switch", title: technique.name }, box, h("span", {}, words(technique.name, this.kind.isWhole))),
      h("p", {}, technique.why), ...numbers);
  }

  private mark(): void {
    const differing = this.values;
    const count = Object.keys(differing).length;
    this.heading.textContent = this.kind.isWhole ? `Techniques: ${count ? `${count} changed` : "as they are by default"}` : "Techniques";
    for (const [name, input] of this.inputs) input.closest("label")?.classList.toggle("differs", name in differing);
  }
}

/** Options as an address has them, and back. */
export function writeOptions(values: Record<string, number>): string {
  return Object.entries(values).map(([name, value]) => `${name}:${value}`).join(",");
}

export function readOptions(text: string): Record<string, number> {
  const pairs = text.split(",").filter((pair) => pair.includes(":")).map((pair) => pair.split(":", 2));
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
}

function words(name: string, isWhole = false): string {
  if (isWhole) return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").replace(/^QSearch/, "Quiescence:").replace("Quiescence:SEE", "Quiescence: exchange (SEE)").replace("Quiescence:TT", "Quiescence: table (TT)");
  const text = name.replace(/^QSearch/, "").replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ");
  return text === "SEE" ? "Exchange (SEE)" : text === "TT" ? "Table (TT)" : text;
}
