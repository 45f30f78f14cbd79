import type { Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';

/** For a request outside Nest's routes. The request is read only when it is needed. */
export class RequestExecution extends ExecutionContextHost {
  readonly #ctx: RequestParts;

  constructor(ctx: RequestParts, owner: Type, handler: Function) {
    super([], owner, handler);
    this.#ctx = ctx;
  }

  override getArgs<T extends unknown[]>(): T {
    return [this.#ctx.req, this.#ctx.res] as unknown[] as T;
  }

  override getArgByIndex<T>(index: number): T {
    return this.getArgs()[index] as T;
  }
}

interface RequestParts {
  readonly req: unknown;
  readonly res: unknown;
}
