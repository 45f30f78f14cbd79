export { graphqlOperations } from './graphql-operations.js';
export type {
  GraphqlMutations,
  GraphqlOperationLimits,
  GraphqlOperationOptions,
  GraphqlOperationsOptions,
} from './graphql-operations.options.js';
