import type { RequestContext } from '@fledge/core';
import type { GraphqlContexts } from '../context/graphql-contexts.js';
import type { ResolvedLimits } from '../option-tables.js';
import type { ServedSchema } from '../operation/served-schema.js';
import type { GraphqlOperations } from './graphql-operations.js';
import type { Places } from './places.js';
import type { Revalidation } from './revalidation.js';
import type { SubscriptionNumbers } from './subscription-numbers.js';

/** The schema, limits and services that the sockets of one path share. */
export interface SocketSetup extends ServedSchema {
  readonly limits: ResolvedLimits;
  readonly contexts: GraphqlContexts;
  readonly numbers: SubscriptionNumbers;
  readonly places: Places;
  readonly operations: GraphqlOperations;
  /** Runs openers and context decorators before an operation, in its context. */
  readonly before: (ctx: RequestContext) => void | Promise<void>;
  /** Undefined without the option `revalidate`. */
  readonly revalidation: Revalidation | undefined;
  /** When Nest's guards can run again: in checks, or also before each event. Undefined without Nest's resolvers. */
  readonly guards?: 'checks' | 'events';
}
