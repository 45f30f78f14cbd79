export { TenantModule } from './tenant.module.js';
export { TenantAdapter } from './tenant.adapter.js';
export { TENANT_CONTEXT } from './tenant-tokens.js';
export type { TenantAttributes } from './tenant-attributes.js';
export type { TenantContext, TenantData, TenantStatus } from './tenant-context.js';
export type {
  AnyTenantStrategy,
  TenantAdapterOptions,
  TenantBudgetOptions,
  TenantCacheOptions,
  TenantErrorOptions,
  TenantHooks,
  TenantIdentifierOptions,
  TenantInvalidationReceiver,
  TenantInvalidations,
  TenantPathOptions,
  TenantRecord,
  TenantRequest,
  TenantResolverFn,
  TenantRouteMode,
  TenantStore,
  TenantStrategy,
  TenantStrategyDef,
  TenantSubdomainOptions,
  TenantTrustOptions,
  TenantPrincipal,
  TenantVerifyOptions,
} from './tenant.options.js';
export { CurrentTenant } from './requests/current-tenant.decorator.js';
export { CentralRoute, TenantRoute, UniversalRoute } from './requests/route-mode.js';
export { SameTenant } from './requests/same-tenant.js';
export { Tenancy } from './scope/tenancy.js';
export type { ForEachCall, ForEachOptions, ForEachProgress } from './scope/for-each.js';
export type { TenantOutcome } from './scope/tenant-outcome.js';
export type { TenantProvider } from './instances/tenant-provider.js';
export { TenantConsoleLogger } from './observe/tenant-console-logger.js';
export { tenantLogFields } from './observe/tenant-console-logger.js';
export { tenantMetricLabel, type TenantMetricLabelOptions } from './observe/tenant-metric-label.js';
export { TenantSpanProcessor } from './observe/tenant-span-processor.js';
export {
  AmbiguousTenantError,
  InvalidTenantError,
  SuspendedTenantError,
  TenantCacheNotClearedError,
  TenantConnectionsBusyError,
  TenantContextMissingError,
  TenantForEachError,
  TenantHttpError,
  TenantInstanceNotReadyError,
  TenantMaintenanceError,
  TenantMismatchError,
  TenantNotResolvedError,
  TenantOptionError,
  TenantPeerVersionError,
  TenantPoolClosedError,
  TenantProgrammingError,
  TenantProvisioningError,
  TenantRowMismatchError,
  TenantStoreUnavailableError,
  TenantTransactionMismatchError,
  TenantUnguardedError,
  UnknownTenantError,
  UnsafeTenantPathError,
} from './tenant.errors.js';
