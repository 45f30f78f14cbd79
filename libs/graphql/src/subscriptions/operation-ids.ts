/** Handles a message; resolves when everything that came of it is over. */
type Handle = (text: string) => Promise<void>;

interface Running {
  /** Whether the client completed it. */
  left: boolean;
  /** The client's next operation with the same id. */
  next: string | undefined;
}

/**
 * Lets clients use the id of an operation again as soon as they completed it (PROTOCOL.md of
 * graphql-ws, Subscribe). graphql-ws forgets an id only when the operation has unwound, and with it a
 * new operation of that id, which would end without a word.
 */
export class OperationIds {
  private readonly running = new Map<string, Running>();

  constructor(private readonly handle: Handle) {}

  /** Rejects as `handle` does. */
  async take(text: string): Promise<void> {
    const { type, id = '' } = peek(text);
    const running = this.running.get(id);
    if (type === 'complete' && running) {
      running.left = true;
      // It did not begin: there is nothing to complete.
      if (running.next !== undefined) return void (running.next = undefined);
    }
    if (type !== 'subscribe') return this.handle(text);
    if (running === undefined) return this.run(id, text);
    if (!running.left) return this.handle(text);
    running.next = text;
  }

  private async run(id: string, text: string): Promise<void> {
    const running: Running = { left: false, next: undefined };
    this.running.set(id, running);
    await this.handle(text).finally(() => this.running.delete(id));
    if (running.next !== undefined) await this.run(id, running.next);
  }
}

/** Type and id of a message; neither of one that is no message. */
export function peek(text: string): { readonly type?: unknown; readonly id?: string } {
  try {
    const message = JSON.parse(text) as { type?: unknown; id?: string } | null;
    return message ?? {};
  } catch {
    return {};
  }
}
