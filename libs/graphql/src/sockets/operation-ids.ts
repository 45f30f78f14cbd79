/** Handles a message. Resolves when its operation has ended. */
type Handle = (text: string) => Promise<void>;

interface Running {
  /** True if the client has completed the operation. */
  completed: boolean;
  /** A waiting `subscribe` message with the same id. */
  next: string | undefined;
}

/**
 * Lets clients reuse the id of an operation immediately after they complete the operation
 * (PROTOCOL.md of graphql-ws, Subscribe). graphql-ws frees an id only when the operation has fully
 * ended. Until then, graphql-ws drops a new operation with the same id without a message.
 */
export class OperationIds {
  private readonly running = new Map<string, Running>();

  constructor(private readonly handle: Handle) {}

  /** Passes a message to `handle` when its id is free. Rejects if `handle` rejects. */
  async take(text: string): Promise<void> {
    const { type, id = '' } = peek(text);
    const running = this.running.get(id);
    if (type === 'complete' && running) {
      running.completed = true;
      // The client completes an operation that has not begun. The `subscribe` message of this
      // operation is dropped.
      if (running.next !== undefined) return void (running.next = undefined);
    }
    if (type !== 'subscribe') return this.handle(text);
    if (running === undefined) return this.run(id, text);
    if (!running.completed) return this.handle(text);
    running.next = text;
  }

  private async run(id: string, text: string): Promise<void> {
    const running: Running = { completed: false, next: undefined };
    this.running.set(id, running);
    await this.handle(text).finally(() => this.running.delete(id));
    if (running.next !== undefined) await this.run(id, running.next);
  }
}

/** Reads the type and the id of a message. Returns an empty object if the text is not a message. */
export function peek(text: string): { readonly type?: unknown; readonly id?: string } {
  try {
    const message = JSON.parse(text) as { type?: unknown; id?: string } | null;
    return message ?? {};
  } catch {
    return {};
  }
}
