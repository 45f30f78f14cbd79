import type { Abortable, Question } from '../../serve/call/peer.js';
import type { AnswerCheck } from '../../serve/methods/params-check.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import type { McpStoredTask, McpTaskAnswers, McpTasks } from './task-store.js';

/** The final state of a task. */
export type TaskEnd =
  | { readonly status: 'completed'; readonly result: object }
  | { readonly status: 'failed'; readonly error: NonNullable<McpStoredTask['error']> }
  | { readonly status: 'cancelled' };

/** A question that the client has not answered yet. */
interface Asked {
  readonly request: { readonly method: string; readonly params: object };
  readonly answer: (value: object) => void;
  readonly fail: (error: Error) => void;
}

/** A task that runs in this process. Every change is written to the store. */
export class Task {
  private readonly asked = new Map<string, Asked>();
  private readonly usedKeys = new Set<string>();
  private call: Abortable | undefined;
  private ended: TaskEnd | undefined;
  /** The write that is in progress. Undefined if the store has the latest state. */
  private writing: Promise<void> | undefined;

  constructor(
    private state: McpStoredTask,
    private readonly store: Pick<McpTasks, 'write'>,
    private readonly answerFault: AnswerCheck,
  ) {}

  get stored(): McpStoredTask {
    return this.state;
  }

  get isOver(): boolean {
    return this.ended !== undefined;
  }

  /** Sets the running call. If the task is aborted, the call is aborted too. */
  runs(call: Abortable): void {
    this.call = call;
    if (this.isOver) call.abort();
  }

  says(statusMessage: string): void {
    if (!this.isOver) this.change({ statusMessage });
  }

  /**
   * Adds a question for the client. The client receives it when it polls the task. Rejects if the
   * answer is invalid.
   */
  ask({ key, method, params }: Question, signal: AbortSignal): Promise<unknown> {
    if (this.isOver) return Promise.reject(new Error('the task has ended'));
    return new Promise((answer, fail) => {
      const onAbort = () => fail(new Error('the call was aborted'));
      signal.addEventListener('abort', onAbort);
      const over = () => signal.removeEventListener('abort', onAbort);
      this.asked.set(this.freshKey(key), {
        request: { method, params },
        answer: (value) => {
          over();
          const fault = this.answerFault(method, value as JsonObject);
          if (fault === undefined) answer(value);
          else fail(new Error(fault));
        },
        fail: (error) => {
          over();
          fail(error);
        },
      });
      this.showQuestions();
    });
  }

  /** Ignores unknown keys and questions that are already answered. */
  answer(answers: McpTaskAnswers): void {
    let isKnown = false;
    for (const [key, value] of Object.entries(answers)) {
      const asked = this.asked.get(key);
      if (asked === undefined) continue;
      this.asked.delete(key);
      asked.answer(value);
      isKnown = true;
    }
    if (isKnown && !this.isOver) this.showQuestions();
  }

  /** Ends the task and aborts the running call. Does nothing if the task has already ended. */
  end(end: TaskEnd): void {
    if (this.isOver) return;
    this.ended = end;
    for (const { fail } of this.asked.values()) fail(new Error('the task has ended'));
    this.asked.clear();
    this.change({ inputRequests: undefined, ...end });
    this.call?.abort();
  }

  /** Resolves when the store has the latest state. */
  settled(): Promise<void> {
    return this.writing ?? Promise.resolve();
  }

  /** Returns a new key. A key is never reused during the life of a task. */
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
    this.state = { ...this.state, ...change, lastUpdatedAt: new Date().toISOString() };
    this.writing ??= this.write();
  }

  /**
   * Writes the latest state. If the state changes during a write, the next write contains all
   * changes.
   */
  private async write(): Promise<void> {
    for (let written; written !== this.state;) {
      written = this.state;
      await this.store.write(written);
    }
    this.writing = undefined;
  }
}
