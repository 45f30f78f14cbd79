import { Tenancy } from '@fledge/tenant';
import { Injectable } from '@nestjs/common';
import { PubSub } from 'graphql-subscriptions';
import type { Task } from './task.js';

/** A change to a task. */
export interface TaskChange {
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly id: number;
  /** The task after the change; null if it was deleted. */
  readonly task: Task | null;
}

/** Publishes changes to subscribers of the same company. Each company has its own channel. */
@Injectable()
export class TaskChanges {
  private readonly events = new PubSub<Record<string, { taskChanged: TaskChange }>>();

  constructor(private readonly tenancy: Tenancy) {}

  publish(change: TaskChange): Promise<void> {
    return this.events.publish(this.key(), { taskChanged: change });
  }

  subscribe(): AsyncIterableIterator<{ taskChanged: TaskChange }> {
    return this.events.asyncIterableIterator(this.key());
  }

  private key(): string {
    return this.tenancy.key('task-changed');
  }
}
