// The messages between @fledge/tenant/lifecycle and this command. The file `command-messages.ts` of
// that package declares the same types.

/** Options of a command that runs for many tenants. */
export interface RunOptions {
  readonly tenants?: readonly string[];
  readonly skip?: readonly string[];
  readonly concurrency?: number;
  readonly canary?: number | readonly string[];
  readonly maxFailures?: number;
  readonly lock?: 'skip' | 'wait';
  readonly redo?: 'all' | 'unfinished';
  readonly dryRun?: boolean;
}

export type TenantCommand =
  | { readonly kind: 'create'; readonly record: TenantRecord; readonly resume: boolean }
  | { readonly kind: 'remove'; readonly tenant: string }
  | { readonly kind: 'set-status'; readonly tenant: string; readonly status: string }
  | { readonly kind: 'migrate' | 'seed'; readonly options: RunOptions }
  | { readonly kind: 'run'; readonly task: string; readonly options: RunOptions }
  | { readonly kind: 'list' }
  | {
      readonly kind: 'status';
      readonly tenants?: readonly string[];
      readonly pending: boolean;
      readonly check: boolean;
    };

interface TenantRecord {
  readonly tenantId: string;
  readonly identifier?: string;
  readonly status?: string;
  readonly data?: object;
}

/** `invalid` is the reason why the store's record of the tenant is invalid. */
export type ListedTenant = Omit<TenantRecord, 'data'> & { readonly invalid?: string };

export interface Outcome {
  /** The tenant. Null for the central database. */
  readonly tenant: string | null;
  readonly step: string;
  readonly status: 'done' | 'current' | 'failed' | 'locked' | 'skipped' | 'pending';
  readonly ms: number;
  readonly attempt?: number;
  readonly error?: string;
  readonly code?: string;
  /** The reason why the tenant is skipped. */
  readonly reason?: string;
}

export interface State {
  readonly tenant: string | null;
  readonly status: string | null;
  /** The reason why the store's record of the tenant is invalid. */
  readonly invalid?: string;
  readonly migration: string;
  readonly pending?: readonly string[];
  /** The error of the application's `pending`. */
  readonly pendingError?: string;
  readonly steps: readonly {
    readonly step: string;
    readonly target: string;
    readonly status: 'running' | 'done' | 'failed' | 'interrupted';
    readonly attempt: number;
    readonly startedAt: string;
    readonly finishedAt?: string;
    readonly error?: string;
  }[];
}

export interface Progress {
  readonly finished: number;
  readonly total: number;
}

export interface Ended {
  readonly kind: 'ended';
  readonly ok: boolean;
  readonly stopped?: 'central' | 'canary' | 'failures' | 'signal' | 'ledger' | 'unlisted';
}

export type AppMessage =
  | { readonly kind: 'begun' }
  | ({ readonly kind: 'outcome'; readonly outcome: Outcome } & Progress)
  | { readonly kind: 'log'; readonly tenant: string | null; readonly text: string }
  | { readonly kind: 'tenants'; readonly tenants: readonly ListedTenant[] }
  | { readonly kind: 'states'; readonly tenants: readonly State[] }
  | Ended
  | { readonly kind: 'refused'; readonly code?: string; readonly message: string }
  /** TenantModule has started without TenantLifecycleModule. */
  | { readonly kind: 'untaken' };
