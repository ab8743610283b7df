// The engine looking at the position shown: one search, replaced by the next, and what it has found so far.

import { LostError, type Link } from "./link";
import type { ReportFacts, Told } from "./wire";

const PAUSE = 130; // ms a position must stand before it is searched, so that walking through a game is cheap

export interface Wishes { lines: number; threads: number; megabytes: number; seconds: number }

export class Look {
  report?: ReportFacts;
  state: "off" | "thinking" | "waiting" | "ended" = "off";
  onChange: () => void = () => {};
  onTrouble: (error: unknown) => void = () => {};
  private search = 0;
  private timer = 0;
  private isAsked = false;

  constructor(private readonly link: Link) {}

  /** Searches a position once it has stood for a moment; what ran before is replaced. */
  begin(told: Told, wishes: Wishes): void {
    const search = this.renew("thinking");
    this.timer = window.setTimeout(() => void this.ask(search, told, wishes), PAUSE);
  }

  /** Nothing is searched any more. */
  end(): void {
    this.renew("off");
    if (this.isAsked) this.link.ask("stop").catch(() => {});
    this.isAsked = false;
  }

  private renew(state: Look["state"]): number {
    window.clearTimeout(this.timer);
    this.report = undefined;
    this.state = state;
    return ++this.search;
  }

  private async ask(search: number, told: Told, wishes: Wishes): Promise<void> {
    const isOld = (): boolean => search !== this.search;
    try {
      this.isAsked = true;
      const answer = await this.link.ask<ReportFacts & { stopped?: boolean }>("analyse", { ...told, ...wishes }, (message) => {
        if (isOld()) return;
        if (message.waiting !== undefined && !this.report) this.state = "waiting";
        if (message.report) [this.report, this.state] = [message.report as ReportFacts, "thinking"];
        this.onChange();
      });
      if (isOld() || answer.stopped) return;
      this.report ??= answer;
      this.state = "ended";
      this.onChange();
    } catch (error) {
      if (!isOld() && !(error instanceof LostError)) this.onTrouble(error);
    }
  }
}
