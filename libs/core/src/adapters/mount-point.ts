import { type MiddlewareConsumer, RequestMethod } from '@nestjs/common';
import { LateMountError } from '../errors.js';
import type { MountHandler, MountPoint } from './adapter.hooks.js';

/**
 * Mounts handlers as Nest middleware, which respects the global prefix and runs after the
 * application's middleware and before its routes.
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

  /** Rejects later mounts, which Nest would not see. */
  close(): void {
    this.closed = true;
  }
}
