import type { Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';

/** What guards get of a request, for one that no route of Nest's serves. Reads the request when it is asked for. */
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
