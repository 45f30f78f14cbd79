import type { KnownTenant } from '../directory/known-tenant.js';
import type { TenantStatus } from '../tenant-context.js';
import { CENTRAL, type LedgerEntry } from './tenant-ledger.js';

/** The state of a tenant according to the store and the ledger. */
export interface TenantState {
  /** Id of the tenant. Null for the central database. */
  readonly tenant: string | null;
  /** Status in the store. Null for the central database, and if `invalid` is set. */
  readonly status: TenantStatus | null;
  /** The reason why the store's record of the tenant is invalid. */
  readonly invalid?: string;
  /**
   * `current`: done for the current target. `outdated`: done for an earlier target. `interrupted`:
   * started, but the process ended before the migration was done. `never`: not in the ledger.
   * `central`: migrated together with the central database.
   */
  readonly migration:
    | 'current'
    | 'outdated'
    | 'running'
    | 'failed'
    | 'interrupted'
    | 'never'
    | 'central';
  /** The steps in the ledger. */
  readonly steps: readonly LedgerEntry[];
  /** The result of `tenant.pending`, if it was called. */
  readonly pending?: readonly string[];
  /** The error of `tenant.pending`, if the call failed. */
  readonly pendingError?: string;
}

export interface TenantStatusReport {
  /** The states. The central database is first, if it has migrations. */
  readonly tenants: readonly TenantState[];
  /**
   * True if each migration is current, and no tenant has pending migrations or a `pendingError`. A
   * tenant in `provisioning` is ignored, unless one of its steps failed or was interrupted.
   */
  readonly ok: boolean;
}

/** The migrations of the central database or of the tenants. Undefined if there are none. */
export type Migrated = { readonly target: string | undefined } | undefined;

export interface StatusParts {
  readonly tenants: readonly KnownTenant[];
  readonly entries: readonly LedgerEntry[];
  readonly central: Migrated;
  readonly tenant: Migrated;
}

export function listStates({ tenants, entries, central, tenant }: StatusParts): TenantState[] {
  const steps = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    steps.set(entry.tenant, [...(steps.get(entry.tenant) ?? []), entry]);
  }
  const stateOf = (known: KnownTenant | null, migrated: Migrated): TenantState => {
    const own = steps.get(known?.tenantId ?? CENTRAL) ?? [];
    const invalid = known?.fault?.reason;
    return {
      tenant: known?.tenantId ?? null,
      status: (invalid === undefined && known?.status) || null,
      ...(invalid !== undefined && { invalid }),
      migration: migrated === undefined ? 'central' : migrationOf(own, migrated.target),
      steps: own,
    };
  };
  return [
    ...(central === undefined ? [] : [stateOf(null, central)]),
    ...tenants.map((known) => stateOf(known, tenant)),
  ];
}

function isUnfinished({ status }: LedgerEntry): boolean {
  return status === 'failed' || status === 'interrupted';
}

export function isCurrent({
  status,
  invalid,
  migration,
  steps,
  pending = [],
  pendingError,
}: TenantState): boolean {
  if (invalid !== undefined || pendingError !== undefined) return false;
  if (status === 'provisioning') return !steps.some(isUnfinished);
  if (migration === 'central') return true;
  return migration === 'current' && pending.length === 0;
}

/** If there is no target, every finished migration is current. */
function migrationOf(
  steps: readonly LedgerEntry[],
  target: string | undefined,
): TenantState['migration'] {
  const entry = steps.find(({ step }) => step === 'migrate');
  if (entry === undefined) return 'never';
  if (entry.status !== 'done') return entry.status;
  return target === undefined || entry.target === target ? 'current' : 'outdated';
}
