import type { TenantContext } from '../tenant-context.js';
import type { TenantLedgerConnection } from './ledger-connection.js';

/** The second argument of lifecycle callbacks, after the tenant. */
export interface TenantStepContext {
  /**
   * Aborts when the connection with the lock is lost. Stop then, because another runner may start
   * on this tenant.
   */
  readonly signal: AbortSignal;
  /** 1, or more if earlier attempts at the same step failed or were interrupted. */
  readonly attempt: number;
  /** Logs a line, which the command prints with `--verbose`. */
  log(text: string): void;
}

/** Work for one tenant. It runs inside `tenancy.run(tenant, ...)`. */
export type TenantTask = (tenant: TenantContext, ctx: TenantStepContext) => unknown;

/** The central database, which is the only one with shared tables. */
export interface TenantCentralOptions {
  /** Migrates the central database. Runs without a tenant. */
  readonly migrate: (ctx: TenantStepContext) => unknown;
  /**
   * The name of the current migrations. See `tenant.target`.
   * @default calls `migrate` in each run
   */
  readonly target?: TenantTarget;
}

/**
 * A name for the current set of migrations, such as `migrationsTarget('migrations')`, or a function
 * that returns the name.
 */
export type TenantTarget = string | (() => string | Promise<string>);

/** Functions for the schema or database of each tenant. */
export interface TenantStepsOptions {
  /**
   * Creates the tenant's schema or database. Must succeed if it already exists. Runs in the
   * tenant's scope, but opens none of its connections.
   */
  readonly provision?: TenantTask;
  /** Migrates the tenant's schema or database, as a role that owns it. */
  readonly migrate?: TenantTask;
  /**
   * The name of the current migrations. A tenant is skipped if the ledger says that `migrate` was
   * already done for this name.
   * @default calls `migrate` in each run
   */
  readonly target?: TenantTarget;
  /** Returns the names of the tenant's pending migrations, for `status({ pending: true })`. */
  readonly pending?: (tenant: TenantContext) => readonly string[] | Promise<readonly string[]>;
  /** Inserts initial data for a new tenant. Done once for each tenant. */
  readonly seed?: TenantTask;
  /**
   * Deletes the tenant's schema or database. Must succeed if it does not exist. Opens none of its
   * connections.
   */
  readonly drop?: TenantTask;
}

/** Options of `TenantLifecycleModule.forRoot()`. */
export interface TenantLifecycleOptions {
  /** The central PostgreSQL database, which contains the ledger and the locks: `pgLedger(pool)`. */
  readonly ledger: TenantLedgerConnection;
  /** Migration of the central database. @default none */
  readonly central?: TenantCentralOptions;
  /** Steps for each tenant. @default none */
  readonly tenant?: TenantStepsOptions;
  /** Tasks for `fledge tenant run <name>`. @default none */
  readonly tasks?: Readonly<Record<string, TenantTask>>;
}

/** Options of `migrate()`, `seed()` and `run()`. */
export interface TenantRunOptions {
  /** Ids or identifiers of the tenants to process. @default all tenants of the store */
  readonly tenants?: readonly string[];
  /** Ids or identifiers of tenants to leave out. @default none */
  readonly skip?: readonly string[];
  /** Number of tenants to process at the same time. @default 4 */
  readonly concurrency?: number;
  /**
   * Tenants to process first, one after the other: a number of tenants, or their ids. If one fails,
   * the run stops.
   * @default 1
   */
  readonly canary?: number | readonly string[];
  /** Stops the run after this many failures. @default no limit */
  readonly maxFailures?: number;
  /** What to do with a tenant that another runner is processing. @default 'skip' */
  readonly lock?: 'skip' | 'wait';
  /**
   * `all` also processes tenants whose step is done according to the ledger. @default 'unfinished',
   * and for `run()` `all`
   */
  readonly redo?: 'all' | 'unfinished';
  /** Reports what would be done, without writing anything. @default false */
  readonly dryRun?: boolean;
  /** Starts no more tenants after it aborts. Running tenants are finished. */
  readonly signal?: AbortSignal;
  /** Called after each tenant. */
  readonly onOutcome?: (outcome: TenantStepOutcome, progress: TenantRunProgress) => void;
  /** Called for each line of `ctx.log()`. */
  readonly onLog?: (tenant: string | null, text: string) => void;
}

/** Options of `status()`. */
export interface TenantStatusOptions {
  /** Ids or identifiers of the tenants. @default all tenants of the store */
  readonly tenants?: readonly string[];
  /** Also calls `tenant.pending` for each served tenant. @default false */
  readonly pending?: boolean;
}

export interface TenantRunProgress {
  readonly finished: number;
  readonly total: number;
}

/** The outcome of a step. */
export interface TenantStepOutcome {
  /** Id of the tenant. Null for the central database. */
  readonly tenant: string | null;
  /** `provision`, `migrate`, `seed`, `drop` or `run:<task>`. */
  readonly step: string;
  /**
   * `current`: already done according to the ledger. `locked`: another runner is processing the
   * tenant. `skipped`: the run stopped before, or the tenant is still being created. `pending`: a
   * dry run.
   */
  readonly status: 'done' | 'current' | 'failed' | 'locked' | 'skipped' | 'pending';
  readonly ms: number;
  /** Number of the attempt. Undefined if nothing was attempted. */
  readonly attempt?: number;
  /** The error, if the status is `failed`. */
  readonly error?: unknown;
}

export interface TenantRunReport {
  /** One outcome for the central database, if it has this step, and one for each tenant. */
  readonly outcomes: readonly TenantStepOutcome[];
  /**
   * Why the run ended early. Undefined if it completed. `unlisted`: a dry run could not list the
   * tenants, because the central database is not migrated yet.
   */
  readonly stopped?: 'central' | 'canary' | 'failures' | 'signal' | 'ledger' | 'unlisted';
  /** True if the run completed or is `unlisted`, nothing failed and no tenant was locked. */
  readonly ok: boolean;
}

/** Options of `TenantLifecycle.create()`. */
export interface TenantCreateOptions extends Pick<TenantRunOptions, 'onOutcome' | 'onLog'> {
  /**
   * Continues a creation that failed or was interrupted, with the record in the store.
   * @default false
   */
  readonly resume?: boolean;
}

/** Injection token of the checked options. */
export const LIFECYCLE_OPTIONS = Symbol('TENANT_LIFECYCLE_OPTIONS');
