export type { GraphqlMercuriusOptions } from '../graphql.options.js';
export { formatMercuriusErrors } from './format-mercurius-errors.js';
export { GraphqlMercuriusModule } from './graphql-mercurius.module.js';
export { MercuriusContextFactory } from './mercurius-context-factory.js';
