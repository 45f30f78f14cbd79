import { Tenancy } from '@fledge/tenant';
import { Injectable } from '@nestjs/common';
import { PubSub } from 'graphql-subscriptions';
import type { Task } from './task.js';

/** Something that happened to a task. */
export interface TaskChange {
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly id: number;
  /** As it is now; null of a deleted one. */
  readonly task: Task | null;
}

/** Tells of changes, within the company they happened in: the key of another is another. */
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
