export { formatApolloError } from './format-apollo-error.js';
export { type GraphqlApolloOptions, GraphqlApolloModule } from './graphql-apollo.module.js';
export { GraphqlContextFactory } from './graphql-context.factory.js';
