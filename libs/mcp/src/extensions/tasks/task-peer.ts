import type { Caller } from '../../serve/call/caller.js';
import type { Abortable, LogLevel, Peer, Question } from '../../serve/call/peer.js';
import { lastingCaller } from './lasting-caller.js';
import type { Task } from './task.js';

/**
 * The client of a call that may become a task. Before the call becomes a task, questions are sent
 * as in any other call. After that, the client polls the task, and receives the questions.
 */
export class TaskPeer implements Peer {
  readonly caller: Caller;
  /** Questions that require a capability that the client does not have. */
  readonly lacking: Question[] = [];
  readonly began: Promise<Task>;
  private begin!: (task: Task) => void;
  private task: Task | undefined;
  private call: Abortable | undefined;
  private starting: Promise<boolean> | undefined;

  /** @param open creates the task. Returns undefined if the limit of tasks is reached */
  constructor(
    private readonly front: Peer,
    private readonly open: (caller: Caller) => Promise<Task | undefined>,
  ) {
    this.caller = lastingCaller(front.caller);
    this.began = new Promise((resolve) => {
      this.begin = resolve;
    });
  }

  get revision() {
    return this.front.revision;
  }

  get client() {
    return this.front.client;
  }

  get capabilities() {
    return this.front.capabilities;
  }

  get structured() {
    return this.front.structured;
  }

  get round(): string | undefined {
    return this.task ? undefined : this.front.round;
  }

  get demand(): readonly Question[] | undefined {
    return this.task ? undefined : this.front.demand;
  }

  /**
   * Turns the call into a task. Returns false if the limit of tasks is reached, or if the client
   * first has to answer a question.
   */
  startTask(): Promise<boolean> {
    this.starting ??= this.start();
    return this.starting;
  }

  progress(progress: number, total?: number, message?: string): void {
    if (!this.task) return this.front.progress(progress, total, message);
    this.task.says(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`));
  }

  /** Does nothing: tasks have no log (SEP-2663). */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!this.task) this.front.log(level, data, logger);
  }

  ask(question: Question, signal: AbortSignal): Promise<unknown> {
    return this.task ? this.task.ask(question, signal) : this.front.ask(question, signal);
  }

  closeStream(): boolean {
    return this.front.closeStream();
  }

  lacks(question: Question): void {
    if (this.task) this.lacking.push(question);
    else this.front.lacks(question);
  }

  started(call: Abortable): void {
    this.call = call;
    if (this.task) return this.task.runs(call);
    // The request ends when the client receives the task. The call continues.
    this.front.started({ abort: () => this.task ?? call.abort() });
  }

  /** Registers a call that continues if the client disconnects. Only the task aborts the call. */
  startedForTask(call: Abortable): void {
    this.call = call;
    this.task?.runs(call);
  }

  private async start(): Promise<boolean> {
    if (this.front.demand) return false;
    const task = await this.open(this.caller);
    if (!task) return false;
    this.task = task;
    if (this.call) task.runs(this.call);
    this.begin(task);
    return true;
  }
}
