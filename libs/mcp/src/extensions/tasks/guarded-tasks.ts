import { RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { ErrorCode } from '../../serve/protocol/json-rpc.js';
import { type Refusal, RefusalFault } from '../../serve/protocol/refusals.js';
import type { McpStoredTask, McpTaskAnswers, McpTasks } from './task-store.js';

/**
 * Access to stored tasks for client requests. Clients receive status 503 while the store cannot be
 * reached.
 */
export class GuardedTasks implements McpTasks {
  private readonly warnings = new RareWarnings(new Logger('McpModule'));

  constructor(private readonly store: McpTasks) {}

  /** @throws RefusalFault */
  add(task: McpStoredTask): Promise<boolean> {
    return this.asked(() => this.store.add(task));
  }

  /** @throws RefusalFault */
  read(taskId: string): Promise<McpStoredTask | undefined> {
    return this.asked(() => this.store.read(taskId));
  }

  /** @throws RefusalFault */
  answer(taskId: string, answers: McpTaskAnswers): Promise<void> {
    return this.asked(() => this.store.answer(taskId, answers));
  }

  /** @throws RefusalFault */
  cancel(taskId: string): Promise<void> {
    return this.asked(() => this.store.cancel(taskId));
  }

  /**
   * Stores the current state of a task. Errors are only logged, because no client waits for the
   * result.
   */
  write(task: McpStoredTask): Promise<void> {
    return this.asked(() => this.store.write(task)).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.asked(() => this.store.close()).catch(() => undefined);
  }

  private async asked<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      this.warnings.warn(() => `The task store failed: ${String(error)}`);
      throw new RefusalFault(STORE_AWAY);
    }
  }
}

const STORE_AWAY: Refusal = {
  status: 503,
  code: ErrorCode.Refused,
  message: 'Service Unavailable: The task store cannot be reached. Try again',
  headers: { 'retry-after': '1' },
};
