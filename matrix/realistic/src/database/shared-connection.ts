import { Injectable } from '@nestjs/common';

/**
 * Stands for a pool whose driver answers in batches: callbacks run in the asynchronous context of the request that
 * began the batch, which is often another one's.
 */
@Injectable()
export class SharedConnection {
  private waiting: (() => void)[] = [];

  query(callback: () => void): void {
    if (this.waiting.push(callback) === 1) setImmediate(() => this.answer());
  }

  private answer(): void {
    const batch = this.waiting;
    this.waiting = [];
    for (const callback of batch) callback();
  }
}
