import { type MiddlewareConsumer, RequestMethod } from '@nestjs/common';
import { LateMountError } from '../core.errors.js';
import type { MountHandler, MountPoint } from './adapter.hooks.js';

/**
 * Mounts through Nest's middleware: only that respects the global prefix and comes both after the
 * application's own middleware and before its routes.
 */
export class ConsumerMountPoint implements MountPoint {
  private closed = false;

  constructor(
    private readonly consumer: MiddlewareConsumer,
    private readonly adapter: string,
  ) {}

  use(path: string, handler: MountHandler): void {
    if (this.closed) throw new LateMountError(this.adapter, path);
    this.consumer.apply(handler).forRoutes({ path, method: RequestMethod.ALL });
  }

  /** From now on Nest would not see a mount any more. */
  close(): void {
    this.closed = true;
  }
}
