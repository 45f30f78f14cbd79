import type { Introspectable } from '@fledge/core';
import type { InjectionToken } from '@nestjs/common';
import { DEFAULT_NAME } from '../graphql.defaults.js';
import type { OperationCounts, OperationNumbers } from '../operation/operation-telemetry.js';

/** The introspection snapshot of a GraphQL endpoint. */
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
    /** The path without the global prefix. */
    readonly path: string,
    private readonly counts: OperationCounts,
  ) {}

  /** Returns the path, and the counts over all transports since startup. */
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
 * Returns the injection token of an endpoint's `GraphqlAdapter`. If there is only one endpoint, you
 * can also inject the class itself.
 * @param name the option `name` of the endpoint. By default, 'GraphqlAdapter'
 */
export function getGraphqlAdapterToken(name: string = DEFAULT_NAME): InjectionToken {
  return `fledge:graphql-adapter:${name}`;
}
