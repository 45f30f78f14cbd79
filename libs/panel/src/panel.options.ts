import type { Container } from '@fledge/core';
import type { IncomingMessage } from 'node:http';

/**
 * Decides whether a request may use the panel.
 * @param request Node's request on Fastify, Express' on Express, after the middleware of `main.ts`
 * @param container the application's providers
 */
export type PanelAuthorize = {
  // A method, because parameters of methods may have narrower types, such as those of Express.
  authorize(request: IncomingMessage, container: Container): boolean | Promise<boolean>;
}['authorize'];

/** A caller that the panel can send requests as. */
export interface PanelCallerOptions {
  /** Name in the list, such as `Ada (Acme)`. */
  readonly name: string;
  /**
   * Headers of the requests, such as `{ authorization: 'Bearer demo-token-ada' }`. Use test credentials. Headers that
   * browsers do not let a page set, such as `cookie` and `host`, are rejected at startup.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of `PanelModule.forRoot()`. */
export interface PanelOptions {
  /**
   * Serves the panel. In production this requires `authorize`.
   * @default true; in production true if there is an `authorize`
   */
  readonly enabled?: boolean;
  /**
   * Called for each request to the panel, in place of the checks of peer and host. Returns true to allow the
   * request; false, an error and a rejection refuse it with 403. The stream of calls calls it again before it sends
   * calls, at most once a second, and ends when the result is no longer true.
   * @default accepts loopback addresses that use a host name of this machine
   */
  readonly authorize?: PanelAuthorize;
  /**
   * More host names that browsers may use to reach the panel in development, without port.
   * @default `localhost`, names that end in `.localhost`, and loopback addresses
   */
  readonly hosts?: readonly string[];
  /** Title of the page. @default the name of the MCP server */
  readonly name?: string;
  /**
   * Test callers that "Send as" offers. A new tab starts with the first one. Everyone who may open the panel can read
   * the headers, so they are for test credentials: with `NODE_ENV=production` the panel offers no callers, and a warning
   * at startup says so.
   * @default none
   */
  readonly callers?: readonly PanelCallerOptions[];
}
