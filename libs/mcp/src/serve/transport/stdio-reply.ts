import type { Writable } from 'node:stream';
import { type Refusal, refusalJson } from '../protocol/refusals.js';
import { type BodyParts, Reply } from '../protocol/reply.js';

/** Each message is a line on stdout. A pipe has no session ids and no event streams. */
export class StdioReply extends Reply {
  isOpen = true;
  private readonly callbacks: (() => void)[] = [];

  constructor(private readonly output: Writable) {
    super();
  }

  get isBehind(): boolean {
    return this.output.writableNeedDrain;
  }

  push(json: string): void {
    if (this.isOpen) this.output.write(`${json}\n`);
  }

  protected onceDrained(callback: () => void): void {
    this.output.once('drain', callback);
  }

  protected writeAnswer(json: BodyParts): void {
    if (!this.isOpen) return;
    this.output.write(`${json.join('')}\n`);
    this.end();
  }

  protected writeRefusal(refusal: Refusal): void {
    this.writeAnswer([refusalJson(refusal)]);
  }

  accept(): void {
    this.end();
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const callback of this.callbacks) callback();
  }

  hangUp(): void {
    this.end();
  }

  onceClosed(callback: () => void): void {
    if (this.isOpen) this.callbacks.push(callback);
    else callback();
  }

  detach(): boolean {
    return false;
  }

  inSession(): void {}

  through(): void {}

  listen(): void {}

  keepAlive(): void {}

  writeEvent(): void {}
}
