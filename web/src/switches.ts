// A switch for every technique of quiescence, with its numbers; only what differs from the defaults is told on.

import { button, h } from "./dom";
import type { Technique } from "./wire";

const NARROW = 820; // px of a window on which the switches are folded at first

export class Switches {
  readonly root = h("details", { class: "switches" });
  private readonly defaults = new Map<string, number>();
  private readonly inputs = new Map<string, HTMLInputElement>();

  constructor(techniques: Technique[], private readonly onChange: () => void) {
    const rows = techniques.map((technique) => this.row(technique));
    this.root.open = window.innerWidth > NARROW;
    this.root.append(
      h("summary", {}, h("h2", {}, "Techniques")),
      h("div", { class: "row" },
        button("Defaults", () => this.change({})),
        button("All off", () => this.change(Object.fromEntries(techniques.map((one) => [one.name, Number(one.plain)]))))),
      ...rows,
    );
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
      h("label", { class: "switch", title: technique.name }, box, h("span", {}, words(technique.name))),
      h("p", {}, technique.why), ...numbers);
  }

  private mark(): void {
    const differing = this.values;
    for (const [name, input] of this.inputs) input.closest("label")?.classList.toggle("differs", name in differing);
  }
}

function words(name: string): string {
  const text = name.replace(/^QSearch/, "").replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ");
  return text === "SEE" ? "Exchange (SEE)" : text === "TT" ? "Table (TT)" : text;
}
