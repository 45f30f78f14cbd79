import type { TenantContext } from '../tenant-context.js';
import type { TenantLedgerConnection } from './ledger-connection.js';

/** The second argument of lifecycle callbacks. The tenant is the first. */
export interface TenantStepContext {
  /**
   * Aborts if the connection that holds the lock is lost. Your function must then stop, because
   * another process may work on this tenant.
   */
  readonly signal: AbortSignal;
  /** Number of the attempt. It is 1 if no earlier attempt failed or was interrupted. */
  readonly attempt: number;
  /** Logs a line. The command prints the line if `--verbose` is set. */
  log(text: string): void;
}

/** Work for one tenant. It runs inside `tenancy.run(tenant, ...)`. */
export type TenantTask = (tenant: TenantContext, ctx: TenantStepContext) => unknown;

/** The central database. Every other database or schema belongs to one tenant. */
export interface TenantCentralOptions {
  /** Migrates the central database. Runs without a tenant. */
  readonly migrate: (ctx: TenantStepContext) => unknown;
  /**
   * The name of the current set of migrations. See `tenant.target`.
   * @default none: each run calls `migrate`
   */
  readonly target?: TenantTarget;
}

/**
 * A name for the current set of migrations, such as `migrationsTarget('migrations')`. It can be a
 * function that returns the name.
 */
export type TenantTarget = string | (() => string | Promise<string>);

/** Functions for the schema or database of each tenant. */
export interface TenantStepsOptions {
  /**
   * Creates the tenant's schema or database. Must succeed if it already exists. Runs in the
   * tenant's scope, but none of the tenant's connections are opened.
   */
  readonly provision?: TenantTask;
  /** Migrates the tenant's schema or database. Connect as the owner of the schema or database. */
  readonly migrate?: TenantTask;
  /**
   * The name of the current set of migrations. A tenant is skipped if the ledger contains a
   * completed `migrate` with this name.
   * @default none: each run calls `migrate`
   */
  readonly target?: TenantTarget;
  /** Returns the names of the tenant's pending migrations, for `status({ pending: true })`. */
  readonly pending?: (tenant: TenantContext) => readonly string[] | Promise<readonly string[]>;
  /** Inserts initial data of a new tenant. Runs once for each tenant. */
  readonly seed?: TenantTask;
  /**
   * Deletes the tenant's schema or database, or its rows in shared tables, and its cached values.
   * Must succeed if they do not exist. None of the tenant's connections are opened. Without this
   * function, a later tenant with the same id gets the data.
   */
  readonly drop?: TenantTask;
}

/** Options of `TenantLifecycleModule.forRoot()`. */
export interface TenantLifecycleOptions {
  /**
   * Connection to the central PostgreSQL database: `pgLedger(pool)`. The database contains the
   * ledger and the locks.
   */
  readonly ledger: TenantLedgerConnection;
  /** Migration of the central database. @default none */
  readonly central?: TenantCentralOptions;
  /** Steps for each tenant. @default none */
  readonly tenant?: TenantStepsOptions;
  /** Tasks of the command `fledge tenant run <name>`. @default none */
  readonly tasks?: Readonly<Record<string, TenantTask>>;
}

/** Options of `migrate()`, `seed()` and `run()`. */
export interface TenantRunOptions {
  /** Ids or identifiers of the tenants to process. @default all tenants of the store */
  readonly tenants?: readonly string[];
  /** Ids or identifiers of tenants to leave out. @default none */
  readonly skip?: readonly string[];
  /** Number of tenants that are processed at the same time. @default 4 */
  readonly concurrency?: number;
  /**
   * Tenants to process first, one at a time. Set a number of tenants, or a list of ids. If a canary
   * tenant fails, the run stops.
   * @default 1
   */
  readonly canary?: number | readonly string[];
  /** Stops the run after this many failures. @default no limit */
  readonly maxFailures?: number;
  /** The behavior if another process works on a tenant. @default 'skip' */
  readonly lock?: 'skip' | 'wait';
  /**
   * The tenants to process. `unfinished` skips tenants that have completed the step according to
   * the ledger. `all` processes all tenants.
   * @default 'unfinished', or 'all' for `run()`
   */
  readonly redo?: 'all' | 'unfinished';
  /** Reports the steps that would run. Nothing is written. @default false */
  readonly dryRun?: boolean;
  /** A signal that ends the run early. Running steps are finished, and no further step starts. */
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
   * The result. `current`: the ledger already contains the step. `locked`: another process works on
   * the tenant. `skipped`: the run stopped earlier, or the tenant's creation is not finished, or
   * the tenant was removed during the run.
   * `pending`: the step would run, but this is a dry run.
   */
  readonly status: 'done' | 'current' | 'failed' | 'locked' | 'skipped' | 'pending';
  readonly ms: number;
  /** Number of the attempt. Undefined if there was no attempt. */
  readonly attempt?: number;
  /** The error, if the status is `failed`. */
  readonly error?: unknown;
  /**
   * The reason, if the tenant is `skipped` because its creation is running or did not finish, or
   * because the tenant was removed, or if `drop` is `skipped` because there is none. Includes the
   * fix, if there is one.
   */
  readonly reason?: string;
}

export interface TenantRunReport {
  /**
   * One outcome for each tenant. If the central database has this step, also one for the central
   * database.
   */
  readonly outcomes: readonly TenantStepOutcome[];
  /**
   * The reason why the run ended early. Undefined if the run completed. `unlisted` means that a dry
   * run could not list the tenants, because the central database is not migrated yet.
   */
  readonly stopped?: 'central' | 'canary' | 'failures' | 'signal' | 'ledger' | 'unlisted';
  /** True if the run completed or is `unlisted`, if nothing failed, and if no tenant was locked. */
  readonly ok: boolean;
}

/** Options of `TenantLifecycle.create()`. */
export interface TenantCreateOptions extends Pick<TenantRunOptions, 'onOutcome' | 'onLog'> {
  /**
   * Continues a failed or interrupted creation. Uses the record in the store, and throws a
   * `TenantOptionError` if the given `data` differs from the stored data.
   * @default false
   */
  readonly resume?: boolean;
}

export const LIFECYCLE_OPTIONS = Symbol('TENANT_LIFECYCLE_OPTIONS');
