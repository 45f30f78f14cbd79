import { Logger } from '@nestjs/common';
import type { Abortable, Question } from '../../calls/peer.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { McpStoredTask, McpTaskStore } from '../../options/task-options.js';
import { isRecord } from '../../schema/json-schema.js';

/** How a task ended. */
export type TaskEnd =
  | { readonly status: 'completed'; readonly result: object }
  | { readonly status: 'failed'; readonly error: NonNullable<McpStoredTask['error']> }
  | { readonly status: 'cancelled' };

/** A question that waits for the client. */
interface Asked {
  readonly request: { readonly method: string; readonly params: object };
  readonly answer: (value: JsonObject) => void;
  readonly fail: (error: Error) => void;
}

/** A task that runs in this process. Each change is written to the store. */
export class Task {
  private readonly logger = new Logger('McpModule');
  private readonly asked = new Map<string, Asked>();
  private readonly usedKeys = new Set<string>();
  private call: Abortable | undefined;
  private ended: TaskEnd | undefined;
  private written: Promise<void> = Promise.resolve();

  constructor(
    private state: McpStoredTask,
    private readonly store: McpTaskStore,
  ) {}

  get stored(): McpStoredTask {
    return this.state;
  }

  get isOver(): boolean {
    return this.ended !== undefined;
  }

  /** The call runs. It is aborted with the task. */
  runs(call: Abortable): void {
    this.call = call;
    if (this.isOver) call.abort();
  }

  says(statusMessage: string): void {
    if (!this.isOver) this.change({ statusMessage });
  }

  /**
   * Shows a question to the client, which polls.
   * @returns the client's answer, not validated
   */
  ask({ key, method, params }: Question, signal: AbortSignal): Promise<unknown> {
    if (this.isOver) return Promise.reject(new Error('the task is over'));
    return new Promise((answer, fail) => {
      this.asked.set(this.freshKey(key), { request: { method, params }, answer, fail });
      signal.addEventListener('abort', () => fail(new Error('the call was aborted')), {
        once: true,
      });
      this.showQuestions();
    });
  }

  /** Unknown keys, and answers that are no objects, are ignored. */
  answer(responses: JsonObject): void {
    let isKnown = false;
    for (const [key, value] of Object.entries(responses)) {
      const asked = this.asked.get(key);
      if (asked === undefined || !isRecord(value)) continue;
      this.asked.delete(key);
      asked.answer(value);
      isKnown = true;
    }
    if (isKnown && !this.isOver) this.showQuestions();
  }

  /** Only the first end counts. A call that still runs is aborted. */
  end(end: TaskEnd): void {
    if (this.isOver) return;
    this.ended = end;
    for (const { fail } of this.asked.values()) fail(new Error('the task is over'));
    this.asked.clear();
    this.change({ inputRequests: undefined, ...end });
    this.call?.abort();
  }

  /** Resolves when every change so far is in the store. */
  settled(): Promise<void> {
    return this.written;
  }

  /** A key names one question for the whole life of a task. */
  private freshKey(key: string): string {
    let fresh = key;
    for (let n = 2; this.usedKeys.has(fresh); n++) fresh = `${key}-${n}`;
    this.usedKeys.add(fresh);
    return fresh;
  }

  private showQuestions(): void {
    const waiting = [...this.asked].map(([key, { request }]) => [key, request] as const);
    this.change(
      waiting.length === 0
        ? { status: 'working', inputRequests: undefined }
        : { status: 'input_required', inputRequests: Object.fromEntries(waiting) },
    );
  }

  private change(change: Partial<McpStoredTask>): void {
    const state = { ...this.state, ...change, lastUpdatedAt: new Date().toISOString() };
    this.state = state;
    this.written = this.written
      .then(() => this.store.write(state))
      .catch((error: unknown) => this.logger.error('A task could not be stored', error));
  }
}
