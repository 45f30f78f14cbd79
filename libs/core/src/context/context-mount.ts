import { Injectable } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { bindHandlers } from './bind-handlers.js';
import { shareClsStore } from './current-context.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import { RequestContexts } from './request-contexts.js';
import { storeMapsOf } from './store-maps.js';

/** Adds the middleware that opens the context of each request. */
@Injectable()
export class ContextMount {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly contexts: RequestContexts,
  ) {
    // Microservices have none, and applications made of a testing module get theirs later.
    const adapter = host.httpAdapter as AbstractHttpAdapter | null | undefined;
    if (adapter) bindHandlers(adapter);
    // The first versions of NestJS 11 have no `init$`.
    else (host as Partial<HttpAdapterHost>).init$?.subscribe(() => bindHandlers(host.httpAdapter));
  }

  /**
   * Call it after `main.ts` and before the routes. The adapter's own `use` reaches every request,
   * prefixed, excluded, versioned or unknown; `consumer.apply()` does not on Express.
   */
  mount(): void {
    const { httpAdapter } = this.host;
    bindHandlers(httpAdapter);
    // Three parameters: Express takes a function of four for an error handler.
    httpAdapter.use((req: ContextRequest, res: ContextResponse, next: () => void) =>
      this.contexts.serve(req, res, next),
    );
    const modules = [...this.modules.values()].map(({ metatype }) => metatype);
    for (const map of storeMapsOf(modules)) httpAdapter.use(shareClsStore(map));
  }
}
