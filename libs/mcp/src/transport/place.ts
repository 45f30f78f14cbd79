import type { IncomingMessage, ServerResponse } from 'node:http';

/** Something served beside the application's routes. */
export interface Place {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
}
