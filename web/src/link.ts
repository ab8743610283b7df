// The WebSocket to the server: numbered questions, answers and reports in between; comes back by itself when it is lost.

import type { Hello } from "./wire";

interface Message {
  number?: number; hello?: Hello; answer?: unknown; error?: string; report?: unknown; verdict?: unknown; waiting?: number; column?: number;
}
interface Call { resolve(value: unknown): void; reject(error: Error): void; hear?(message: Message): void }

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8000;

export class LostError extends Error {}

export class Link {
  onHello: (hello: Hello) => void = () => {};
  onLost: (why: string) => void = () => {};
  private socket?: WebSocket;
  private next = 1;
  private pause = FIRST_PAUSE;
  private readonly calls = new Map<number, Call>();

  open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as Message);
    socket.onclose = (event) => {
      for (const call of this.calls.values()) call.reject(new LostError("the connection was lost"));
      this.calls.clear();
      this.onLost(event.reason || "no connection to the engine");
      window.setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** The answer to a question; `hear` gets what is said before it. */
  ask<T>(todo: string, body: object = {}, hear?: (message: Message) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.socket || !this.isOpen) {
        reject(new LostError("there is no connection to the engine"));
        return;
      }
      const number = this.next++;
      this.calls.set(number, { resolve: resolve as (value: unknown) => void, reject, hear });
      this.socket.send(JSON.stringify({ ...body, number, do: todo }));
    });
  }

  private hear(message: Message): void {
    if (message.hello) {
      this.pause = FIRST_PAUSE;
      this.onHello(message.hello);
      return;
    }
    const call = this.calls.get(message.number ?? -1);
    if (!call) return;
    if (message.answer === undefined && message.error === undefined) {
      call.hear?.(message);
      return;
    }
    this.calls.delete(message.number ?? -1);
    if (message.error !== undefined) call.reject(new Error(message.error));
    else call.resolve(message.answer);
  }
}
