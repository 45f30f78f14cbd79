import type { IncomingMessage } from 'node:http';
import type { Caller } from '../calls/caller.js';

/** A caller that came by HTTP. */
export interface HttpCaller extends Caller {
  readonly origin: IncomingMessage;
}
