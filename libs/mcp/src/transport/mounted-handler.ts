import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodySource } from './body-reader.js';

/** A handler at a path outside of Nest's routes. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

/** The endpoints, and the documents that clients read before they call them. */
export interface MountedHandlers {
  readonly endpoints: readonly MountedHandler[];
  readonly documents: readonly MountedHandler[];
}
