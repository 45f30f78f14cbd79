import { AsyncResource } from 'node:async_hooks';
import type { INestApplication } from '@nestjs/common';

/**
 * A connection that all requests share. Like many drivers, it calls back in the async context of
 * the request that opened it.
 */
export class SharedConnection {
  private opened: AsyncResource | undefined;

  query(done: () => void): void {
    const connection = (this.opened ??= new AsyncResource('SharedConnection'));
    setImmediate(() => connection.runInAsyncScope(done));
  }

  /** Middleware for Express and Nest that continues in a callback. */
  readonly middleware = (_req: unknown, _res: unknown, next: () => void): void => this.query(next);
}

/** Adds a Fastify hook that continues in a callback. */
export function addFastifyHook(
  app: INestApplication,
  hook: string,
  connection: SharedConnection,
): void {
  const continueLater = (...args: unknown[]) => connection.query(args.at(-1) as () => void);
  const hooks: Record<string, unknown> = {
    preParsing: (_req: unknown, _reply: unknown, _payload: unknown, done: unknown) =>
      continueLater(() => (done as (error: null) => void)(null)),
    default: (_req: unknown, _reply: unknown, done: unknown) => continueLater(done),
  };
  const fastify = app.getHttpAdapter().getInstance() as { addHook(...args: unknown[]): void };
  fastify.addHook(hook, hooks[hook] ?? hooks['default']);
}
