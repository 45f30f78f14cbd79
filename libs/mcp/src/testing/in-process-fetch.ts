import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { HttpExchange } from '../serve/call/call.js';
import { localOrigin } from '../serve/call/caller.js';
import { messageFactoryFor } from '../serve/call/node-messages.js';
import type { CallResponse } from '../serve/call/recording.js';

const TIMEOUT_MS = 60_000;

/**
 * Returns a `fetch` that sends requests to an application in the same process, through the complete
 * pipeline of the application. The application does not have to listen. Only complete responses are
 * returned, so requests for event streams get 405.
 */
export function inProcessFetch(app: INestApplication): typeof fetch {
  const application = {
    server: app.getHttpServer() as Server,
    messages: messageFactoryFor(app.getHttpAdapter().getInstance(), new WeakMap()),
    responseBytes: Number.MAX_SAFE_INTEGER,
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (request.headers.get('accept') === 'text/event-stream') {
      return new Response(null, { status: 405 });
    }
    const body = Buffer.from(await request.arrayBuffer());
    const headers = [...request.headers].flat();
    headers.push('host', url.host);
    if (body.length > 0) headers.push('content-length', String(body.length));

    const exchange = new HttpExchange(localOrigin([]), TIMEOUT_MS);
    request.signal.addEventListener('abort', () => exchange.abort(), { once: true });
    const routed = {
      method: request.method,
      url: url.pathname + url.search,
      headers,
      body: body.length > 0 ? body : undefined,
      version: undefined,
    };
    exchange.start(application, routed, headers);
    const outcome = await exchange.outcome;
    if (outcome.kind !== 'response') {
      throw new Error(
        `${request.method} ${url.pathname} ended without a response: ${outcome.kind}`,
      );
    }
    return webResponseOf(outcome.response);
  };
}

function webResponseOf({ status, headers, body }: CallResponse): Response {
  return new Response(body.length === 0 ? null : new Uint8Array(body), {
    status,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    ),
  });
}
