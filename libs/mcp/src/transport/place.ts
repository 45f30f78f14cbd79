import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodySource } from './body-reader.js';

/** Something served beside the application's routes. */
export interface Place {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}
