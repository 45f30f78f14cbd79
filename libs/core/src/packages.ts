// API for packages that build on core. Applications rarely need it. See docs/for-packages.md.
export { acceptedRanges, acceptedWeight } from './http/accepted-ranges.js';
export { BeforeClosing } from './adapters/before-closing.js';
export {
  type CallError,
  type CallObserver,
  type CallObserverOptions,
  CallObservers,
  type CallRecord,
  type CallResult,
  type CallTenant,
} from './contracts/call-observers.js';
export { CallerHeaders } from './contracts/caller-headers.js';
export {
  type CallerTenant,
  type CallerTenantFinder,
  CallerTenants,
} from './contracts/caller-tenants.js';
export { contextOfRequest, currentRequestContext, withoutOwner } from './context/open-context.js';
export { bindEvents, inOwnContext, inOwnContextOfSecond } from './context/bind-callbacks.js';
export {
  checkHandlers,
  dispatchFor,
  type HandlerCheck,
  originOf,
} from './context/dispatched-request.js';
export { RequestContexts } from './context/request-contexts.js';
export type { RequestOpener } from './context/request-opener.js';
export { type RefusalOf, RequestRevocations } from './context/request-revocations.js';
export { TENANT_SCOPE, withhold } from './context/request-context.js';
export { tenantOfRequest } from './context/request-tenant.js';
export { forgetLoaders } from './context/request-loaders.js';
export type { ProviderLookup } from './context/shared-methods.js';
export { FledgeError } from './errors.js';
export { GraphqlSchemas, type ServedGraphql } from './contracts/graphql-schemas.js';
export { RequestGate } from './contributors/contributor.guard.js';
export {
  EVENT_STREAM_HEADERS,
  eventJson,
  EventStream,
  type EventStreamOptions,
  eventText,
} from './http/event-stream.js';
export {
  type BodyFault,
  type JsonBody,
  type JsonBodyOptions,
  readBytes,
  readJsonBody,
} from './http/body.js';
export { bodyDecoder, charsetIn, mediaTypeOf } from './http/content-type.js';
export { isLoopback, isOwnOrigin, LOOPBACK_HOSTS, pageOrigin } from './http/origin.js';
export { LONGEST_TIMER_MS, resolvesWithin, withDeadline } from './http/timers.js';
export { importPeer } from './checks/import-peer.js';
export { inSpan, openTelemetry, type RunningSpan } from './contracts/open-telemetry.js';
export { RareWarnings } from './checks/rare-warnings.js';
export { type PageFile, protectPage, readPageFile, sendPageFile } from './http/served-page.js';
export { refuseSecondImport } from './checks/module-imported-twice.js';
export { type DirectEndpoint, serveDirectly } from './direct/serve-directly.js';
export { afterInit } from './nest/after-init.js';
export { fastifyInternal } from './nest/fastify-symbols.js';
export { runMiddlewareLast } from './nest/last-middleware.js';
export { type PanelSourceOf, PanelSources } from './contracts/panel-sources.js';
export { type RouteHandler, RouteHandlers } from './contracts/route-handlers.js';
export type {
  PanelCall,
  PanelCatalogue,
  PanelEndpointSessions,
  PanelGraphqlMount,
  PanelFinding,
  PanelPrompt,
  PanelQueryAnswer,
  PanelQueryColumn,
  PanelQueryRoute,
  PanelResource,
  PanelResourceTemplate,
  PanelSchema,
  PanelSession,
  PanelSessions,
  PanelSpan,
  PanelTenantAnswer,
  PanelTenantQuestion,
  PanelTenants,
  PanelTenantStep,
  PanelTool,
  PanelToolRequest,
} from './contracts/panel-views.js';
