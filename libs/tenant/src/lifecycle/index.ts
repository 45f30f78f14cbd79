export { TenantLifecycle } from './tenant-lifecycle.js';
export { TenantLifecycleModule } from './tenant-lifecycle.module.js';
export {
  pgLedger,
  singleConnectionLedger,
  type TenantLedgerClient,
  type TenantLedgerConnection,
  type TenantLedgerPool,
  type TenantLedgerSession,
} from './ledger-connection.js';
export { ledgerSql } from './ledger-sql.js';
export type {
  TenantCentralOptions,
  TenantCreateOptions,
  TenantLifecycleOptions,
  TenantRunOptions,
  TenantStatusOptions,
  TenantRunProgress,
  TenantRunReport,
  TenantStepContext,
  TenantStepOutcome,
  TenantStepsOptions,
  TenantTarget,
  TenantTask,
} from './lifecycle.options.js';
export {
  TenantExistsError,
  TenantLedgerPooledError,
  TenantLockedError,
  TenantLockLostError,
  TenantNotListedError,
  TenantStepError,
} from './lifecycle.errors.js';
export { migrationsTarget } from './migrations-target.js';
export type { LedgerEntry } from './tenant-ledger.js';
export type { TenantState, TenantStatusReport } from './tenant-status.js';
