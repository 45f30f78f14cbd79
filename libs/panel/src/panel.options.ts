import type { Container } from '@fledge/core';
import type { IncomingMessage } from 'node:http';

/**
 * Decides whether a request may use the panel.
 * @param request the request after the middleware of `main.ts`: on Fastify the request of Node, on
 * Express the request of Express
 * @param container the application's providers
 */
export type PanelAuthorize = {
  // This is declared as a method, so its parameters may have narrower types, such as the types of
  // Express.
  authorize(request: IncomingMessage, container: Container): boolean | Promise<boolean>;
}['authorize'];

/** A test caller. The panel can send requests with the headers of the caller. */
export interface PanelCallerOptions {
  /** Name of the caller in the list, such as `Ada (Acme)`. */
  readonly name: string;
  /**
   * Headers of the requests, such as `{ authorization: 'Bearer demo-token-ada' }`. Use test
   * credentials. Headers that a page cannot set in a browser, such as `cookie` and `host`, are
   * rejected at startup.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of `PanelModule.forRoot()`. */
export interface PanelOptions {
  /**
   * Serves the panel. In production this requires `authorize`.
   * @default true, but in production only if `authorize` is set
   */
  readonly enabled?: boolean;
  /**
   * Called for each request to the panel, instead of the checks of peer and host. Return true to
   * allow the request. If the function returns another value, throws or rejects, the request is
   * rejected with 403. While the panel shows live calls, the function is called again, at most once
   * a second. If the result is no longer true, the stream ends.
   * @default accepts requests from this machine that use one of its host names
   */
  readonly authorize?: PanelAuthorize;
  /**
   * Additional host names for opening the panel in development, without port.
   * @default `localhost`, names that end in `.localhost`, and loopback addresses
   */
  readonly hosts?: readonly string[];
  /**
   * Title of the page.
   * @default the name of the MCP server
   */
  readonly name?: string;
  /**
   * Test callers that the list "Send as" offers. A new tab starts with the first caller. Everyone
   * who may open the panel can read the headers, so use test credentials only. With
   * `NODE_ENV=production` the panel offers no callers and logs a warning at startup.
   * @default none
   */
  readonly callers?: readonly PanelCallerOptions[];
}
