export { formatApolloError } from './format-apollo-error.js';
export type { GraphqlApolloOptions } from '../graphql.options.js';
export { GraphqlApolloModule } from './graphql-apollo.module.js';
export { GraphqlContextFactory } from './graphql-context-factory.js';
