import type { ContextRequest } from '@fledge/core';
import { originOf, RequestContexts } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server } from 'node:http';
import { compileUrlStripper } from '../identify/path-strip.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';

/**
 * Removes the tenant's segment from the path, so that routes need no parameter for the tenant. Runs
 * before the platform's listener, because Fastify selects the route before middleware runs.
 */
@Injectable()
export class PathStripMount {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly host: HttpAdapterHost,
    private readonly contexts: RequestContexts,
  ) {}

  mount(): void {
    const strippedUrl = compileUrlStripper(this.options);
    if (strippedUrl === undefined) return;
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.prependListener('request', (req: IncomingMessage) => {
      // An inner request, for example of a tool call, already has its route's path.
      if (originOf(req as object as ContextRequest) !== undefined) return;
      const sent = req.url ?? '';
      if (this.contexts.isPassedOver(sent)) return;
      const routed = strippedUrl(sent);
      if (routed !== undefined) rewrite(req, sent, routed);
    });
  }
}

/**
 * Sets the URL for routing, and keeps the client's URL in `originalUrl`. Uses accessors because of
 * middie. On Fastify, middie runs the middleware. After each middleware, middie sets `originalUrl`
 * to the routed URL, and `url` to `originalUrl`.
 */
function rewrite(req: IncomingMessage, sent: string, routed: string): void {
  let url = routed;
  Object.defineProperties(req, {
    originalUrl: { get: () => sent, set: () => undefined, enumerable: true },
    url: {
      get: () => url,
      set: (next: string) => {
        url = next === sent ? routed : next;
      },
      enumerable: true,
    },
  });
}
