export type { GraphqlContainer } from './context/graphql-container.js';
export { GraphqlContext } from './context/graphql-context.js';
export {
  getGraphqlAdapterToken,
  GraphqlAdapter,
  type GraphqlSnapshot,
} from './mount/graphql-adapter.js';
export { GraphqlMountModule } from './mount/graphql-mount.module.js';
export type {
  ApolloSubscriptionsOptions,
  FormatError,
  GraphqlAdapterOptions,
  GraphqlMountAsyncOptions,
  GraphqlMountOptions,
  GraphQlPluginOptions,
  GraphqlSubscriptionsAdapterOptions,
  GraphqlSubscriptionsOptions,
  ProtectionOptions,
  SubscriptionLimits,
  TraceOptions,
} from './graphql.options.js';
export type {
  OperationCounter,
  OperationProtection,
  OperationTracer,
  ServedSchema,
  TracedOperation,
  ValidatedOperation,
} from './operation/served-schema.js';
export { graphqlHttp } from './runtime/graphql-http.js';
export type { GraphqlRuntime, GraphqlRuntimeDeps, OperationResult } from './runtime/runtime.js';
export { GraphqlOperations, type LiveSocket } from './subscriptions/graphql-operations.js';
export {
  GraphqlSubscriptionsAdapter,
  type GraphqlSubscriptionsSnapshot,
} from './subscriptions/graphql-subscriptions.adapter.js';
export type { LiveOperation } from './subscriptions/running-operation.js';
export { GraphqlSubscriptionsModule } from './subscriptions/graphql-subscriptions.module.js';
export {
  ApolloContextError,
  BodyReadError,
  ConnectionHeaderError,
  GraphqlModuleError,
  GraphqlOptionError,
  GraphqlSchemaError,
  MissingPeerError,
  NestGraphqlError,
  SocketPathTakenError,
} from './graphql.errors.js';
