import type { Introspectable } from '@fledge/core';
import type { InjectionToken } from '@nestjs/common';
import type { OperationCounts, OperationNumbers } from '../operation/operation-counts.js';

/** The name of a mount that was given none. */
export const DEFAULT_NAME = 'GraphqlAdapter';

/** What a GraphQL endpoint tells of itself. */
export interface GraphqlSnapshot {
  readonly protocolVersion: 1;
  readonly name: string;
  readonly kind: 'adapter';
  readonly state: { readonly path: string };
  readonly metrics: { readonly [Name in keyof OperationNumbers]: number };
}

/** A GraphQL endpoint of the application: `app.get(getGraphqlAdapterToken(name))`. */
export class GraphqlAdapter implements Introspectable {
  constructor(
    readonly name: string,
    /** Without the global prefix. */
    readonly path: string,
    private readonly counts: OperationCounts,
  ) {}

  /** What it is, and its numbers over all transports since the start. A copy. */
  introspect(): GraphqlSnapshot {
    return {
      protocolVersion: 1,
      name: this.name,
      kind: 'adapter',
      state: { path: this.path },
      metrics: this.counts.snapshot(),
    };
  }
}

/**
 * The token under which a mount provides its `GraphqlAdapter`; of the only mount of an application,
 * the class is one too.
 * @param name as in the options of the mount @default 'GraphqlAdapter'
 */
export function getGraphqlAdapterToken(name: string = DEFAULT_NAME): InjectionToken {
  return `fledge:graphql-adapter:${name}`;
}
