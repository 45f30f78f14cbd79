import { Injectable, type NestMiddleware } from '@nestjs/common';
import { SharedConnection } from './shared-connection.js';

/** Continues in a callback of the shared connection. */
@Injectable()
export class PingMiddleware implements NestMiddleware {
  constructor(private readonly connection: SharedConnection) {}

  use(_req: unknown, _res: unknown, next: () => void): void {
    this.connection.query(() => next());
  }
}
