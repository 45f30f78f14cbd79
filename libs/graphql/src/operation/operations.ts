import type { GraphQLSchema } from 'graphql';
import type { OperationCounts } from './operation-counts.js';
import type { Protection } from './protection.js';

/** What a mount serves, the same on all its transports. */
export interface Operations {
  /** Throws before the application is initialised, where another module builds the schema. */
  readonly schema: () => GraphQLSchema;
  readonly rootValue: unknown;
  readonly protection: Protection;
  readonly counts: OperationCounts;
}
