import type { RequestContext } from '@fledge/core';

/** A running subscription, or another running operation of a socket. */
export interface LiveOperation {
  readonly kind: 'query' | 'mutation' | 'subscription' | undefined;
  readonly transport: 'websocket' | 'event-stream';
  /** Identifies a socket or event stream in this process. The operations of one socket share it. */
  readonly connection: string;
  /** The request context of its resolvers, with its headers, user and tenant. */
  readonly ctx: RequestContext;
}
