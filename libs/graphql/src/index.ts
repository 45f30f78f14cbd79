export { type GraphqlContainer, GraphqlContext } from './context/graphql-context.js';
export {
  getGraphqlAdapterToken,
  GraphqlAdapter,
  type GraphqlSnapshot,
} from './mount/graphql-adapter.js';
export { GraphqlMountModule } from './mount/graphql-mount.module.js';
export type {
  GraphqlAdapterOptions,
  GraphqlMountAsyncOptions,
  GraphqlMountOptions,
  GraphQlPluginOptions,
} from './graphql.options.js';
export type {
  ApolloManifest,
  DocumentManifest,
  DocumentStore,
  FormatError,
  ManifestLoader,
  OperationLimits,
  ProtectionOptions,
  TraceOptions,
} from './operation/protection.options.js';
export type {
  ApolloSubscriptionsOptions,
  GraphqlSubscriptionsAdapterOptions,
  GraphqlSubscriptionsOptions,
  LiveOperation,
  RevalidationOptions,
  SubscriptionLimits,
} from './live/subscription.options.js';
export type {
  DocumentRequest,
  GraphqlExecutor,
  OperationCounter,
  OperationDocuments,
  OperationProtection,
  OperationTracer,
  ServedSchema,
  TracedOperation,
  ValidatedOperation,
} from './operation/served-schema.js';
export { graphqlHttp, type GraphqlHttpOptions } from './http/graphql-http.js';
export type { GraphqlRuntime, GraphqlRuntimeDeps, OperationResult } from './http/runtime.js';
export {
  GraphqlOperations,
  type LiveSocket,
  type RevalidationResult,
} from './live/graphql-operations.js';
export {
  GraphqlSubscriptionsAdapter,
  type GraphqlSubscriptionsSnapshot,
} from './live/graphql-subscriptions.adapter.js';
export type { OperationFilter } from './live/operation-filter.js';
export { GraphqlSubscriptionsModule } from './sockets/graphql-subscriptions.module.js';
export {
  ApolloContextError,
  BodyReadError,
  ConnectionHeaderError,
  DocumentManifestError,
  GraphqlModuleError,
  GraphqlOptionError,
  GraphqlSchemaError,
  MercuriusContextError,
  MissingPeerError,
  UnfitPeerError,
  NestGraphqlError,
  SocketPathTakenError,
  type StaleDocument,
  StaleDocumentsError,
} from './graphql.errors.js';
