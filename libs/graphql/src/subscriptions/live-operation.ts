import type { RequestContext } from '@fledge/core';

/** A subscription that runs, or another operation of a socket that has not ended. */
export interface LiveOperation {
  readonly kind: 'query' | 'mutation' | 'subscription' | undefined;
  readonly transport: 'websocket' | 'event-stream';
  /** Tells the sockets and event streams of this process apart; the operations of one socket share it. */
  readonly connection: string;
  /** The context that its resolvers get: `ctx.get('user')`, its headers, its tenant. */
  readonly ctx: RequestContext;
}
