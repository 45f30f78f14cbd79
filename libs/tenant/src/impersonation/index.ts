export type {
  Impersonation,
  ImpersonationEvent,
  ImpersonationRequest,
  ImpersonationSession,
  TenantImpersonationOptions,
  UsedCode,
  UsedCodes,
} from './impersonation.options.js';
export { TenantImpersonation } from './tenant-impersonation.js';
export { TenantImpersonationModule } from './tenant-impersonation.module.js';
export {
  InvalidImpersonationError,
  TenantImpersonationRefusedError,
} from './impersonation.errors.js';
