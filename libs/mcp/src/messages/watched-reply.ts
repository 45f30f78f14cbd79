import type { CallWatch } from '../observe/call-watch.js';
import { answerFactsOf } from './call-answer.js';
import type { Outbox } from './outbox.js';
import { type Refusal, refusalJson } from './refusals.js';
import type { BodyParts, Reply } from './reply.js';

/** Reports the answer to the watch of a call, and holds it back while an observer requires that. */
export class WatchedReply implements Reply {
  constructor(
    private readonly reply: Reply,
    private readonly watch: CallWatch,
  ) {
    reply.onceClosed(() => void watch.end({ outcome: 'cancelled', bytes: 0 }));
  }

  get isOpen(): boolean {
    return this.reply.isOpen;
  }

  get isBehind(): boolean {
    return this.reply.isBehind;
  }

  push(json: string): void {
    this.reply.push(json);
  }

  answer(...json: BodyParts): void {
    // The listener of `onceClosed` has reported, or will report, that the client left.
    if (!this.isOpen) return;
    const bytes = json.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    const facts = this.watch.reported ?? factsIn(json.join(''));
    this.after(this.watch.end({ ...facts, bytes }), () => this.reply.answer(...json));
  }

  refuse(refusal: Refusal): void {
    const { code, message, status } = refusal;
    const bytes = Buffer.byteLength(refusalJson(refusal));
    const held = this.watch.end({
      outcome: 'error',
      error: { code, text: message },
      status,
      bytes,
    });
    this.after(held, () => this.reply.refuse(refusal));
  }

  accept(status: 200 | 202): void {
    this.reply.accept(status);
  }

  end(): void {
    void this.watch.end({ outcome: 'cancelled', bytes: 0 });
    this.reply.end();
  }

  inSession(id: string): void {
    this.reply.inSession(id);
  }

  through(outbox: Outbox): void {
    this.reply.through(outbox);
  }

  detach(): boolean {
    return this.reply.detach();
  }

  writeEvent(id: string, json: string, retryMs?: number): void {
    this.reply.writeEvent(id, json, retryMs);
  }

  hangUp(): void {
    this.reply.hangUp();
  }

  listen(): void {
    this.reply.listen();
  }

  keepAlive(): void {
    this.reply.keepAlive();
  }

  onceClosed(callback: () => void): void {
    this.reply.onceClosed(callback);
  }

  private after(held: Promise<void> | undefined, send: () => void): void {
    if (held) void held.then(send);
    else send();
  }
}

function factsIn(json: string) {
  return answerFactsOf(parsed(json)) ?? { outcome: 'ok' as const };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
