import type { TenantContext } from '../tenant-context.js';
import type { TenantLedgerConnection } from './ledger-connection.js';

/** What a callback of the lifecycle gets beside its tenant. */
export interface TenantStepContext {
  /**
   * Aborts when the connection with the lock is lost. Another runner may then start on this tenant: stop.
   */
  readonly signal: AbortSignal;
  /** 1, or more if earlier attempts at the same step failed or were interrupted. */
  readonly attempt: number;
  /** Reports a line of text, which the command prints with `--verbose`. */
  log(text: string): void;
}

/** Work for one tenant. It runs inside `tenancy.run(tenant, ...)`. */
export type TenantTask = (tenant: TenantContext, ctx: TenantStepContext) => unknown;

/** The central database: the only one with shared tables. */
export interface TenantCentralOptions {
  /** Migrates the central database. Runs without a tenant. */
  readonly migrate: (ctx: TenantStepContext) => unknown;
  /** Names the migrations: see `tenant.target`. @default calls `migrate` in each run */
  readonly target?: TenantTarget;
}

/** A name for a set of migrations, such as `migrationsTarget('migrations')`, or a function that returns it. */
export type TenantTarget = string | (() => string | Promise<string>);

/** What each tenant has: a schema or a database. */
export interface TenantStepsOptions {
  /**
   * Creates the tenant's schema or database. Must succeed if it exists already. Runs for the tenant, but
   * opens none of its connections.
   */
  readonly provision?: TenantTask;
  /** Migrates the tenant's schema or database, as a role that owns it. */
  readonly migrate?: TenantTask;
  /**
   * Names the migrations. A tenant whose ledger says that `migrate` was done for this name is not
   * migrated again. @default calls `migrate` in each run
   */
  readonly target?: TenantTarget;
  /** Returns the names of the migrations that the tenant lacks, for `status({ pending: true })`. */
  readonly pending?: (tenant: TenantContext) => readonly string[] | Promise<readonly string[]>;
  /** Fills a new tenant. Done once for each tenant. */
  readonly seed?: TenantTask;
  /** Removes the tenant's schema or database. Must succeed if it is gone. Opens none of its connections. */
  readonly drop?: TenantTask;
}

/** Options of `TenantLifecycleModule.forRoot()`. */
export interface TenantLifecycleOptions {
  /** The central PostgreSQL database, such as `pgLedger(pool)`: it has the ledger and the locks. */
  readonly ledger: TenantLedgerConnection;
  /** @default none */
  readonly central?: TenantCentralOptions;
  /** @default none */
  readonly tenant?: TenantStepsOptions;
  /** Tasks for `fledge tenant run <name>`. @default none */
  readonly tasks?: Readonly<Record<string, TenantTask>>;
}

/** Options of `migrate()`, `seed()` and `run()`. */
export interface TenantRunOptions {
  /** Ids or identifiers of the tenants to work for. @default those of the store */
  readonly tenants?: readonly string[];
  /** Ids or identifiers of tenants to leave out. @default none */
  readonly skip?: readonly string[];
  /** How many tenants to work for at once. @default 4 */
  readonly concurrency?: number;
  /**
   * Tenants that come first, one after the other: a number, or their ids. If one fails, the run stops.
   * @default 1
   */
  readonly canary?: number | readonly string[];
  /** Stops the run after this many failures. @default no limit */
  readonly maxFailures?: number;
  /** What to do with a tenant that another runner works on. @default 'skip' */
  readonly lock?: 'skip' | 'wait';
  /** `all` calls tenants whose ledger says `done`, too. @default 'unfinished', and for `run()` `all` */
  readonly redo?: 'all' | 'unfinished';
  /** Reports what would be done, and writes nothing. @default false */
  readonly dryRun?: boolean;
  /** Starts no further tenant after it aborts. Those that run are finished. */
  readonly signal?: AbortSignal;
  /** Called after each tenant. */
  readonly onOutcome?: (outcome: TenantStepOutcome, progress: TenantRunProgress) => void;
  /** Called for each line of `ctx.log()`. */
  readonly onLog?: (tenant: string | null, text: string) => void;
}

/** Options of `status()`. */
export interface TenantStatusOptions {
  /** Ids or identifiers of the tenants. @default those of the store */
  readonly tenants?: readonly string[];
  /** Also calls `tenant.pending` for each tenant that is served. @default false */
  readonly pending?: boolean;
}

export interface TenantRunProgress {
  readonly finished: number;
  readonly total: number;
}

/** What became of a step. */
export interface TenantStepOutcome {
  /** Id of the tenant. Null is the central database. */
  readonly tenant: string | null;
  /** `provision`, `migrate`, `seed`, `drop` or `run:<task>`. */
  readonly step: string;
  /**
   * `current`: the ledger says that it is done. `locked`: another runner works on the tenant.
   * `skipped`: the run stopped before, or the tenant is still being created. `pending`: a dry run.
   */
  readonly status: 'done' | 'current' | 'failed' | 'locked' | 'skipped' | 'pending';
  readonly ms: number;
  /** Undefined if nothing was attempted. */
  readonly attempt?: number;
  /** Of `failed`. */
  readonly error?: unknown;
}

export interface TenantRunReport {
  /** One for the central database, if it has this step, and one for each tenant. */
  readonly outcomes: readonly TenantStepOutcome[];
  /**
   * Why the run ended early. Undefined if it did not. `unlisted`: a dry run could not list the tenants, because the
   * central database is not migrated yet.
   */
  readonly stopped?: 'central' | 'canary' | 'failures' | 'signal' | 'ledger' | 'unlisted';
  /** True if the run did not stop, or is `unlisted`, nothing failed and no tenant was locked. */
  readonly ok: boolean;
}

/** Options of `TenantLifecycle.create()`. */
export interface TenantCreateOptions extends Pick<TenantRunOptions, 'onOutcome' | 'onLog'> {
  /**
   * Continues a creation that failed or was interrupted, with the record that the store has.
   * @default false
   */
  readonly resume?: boolean;
}

/** Injection token of the checked options. */
export const LIFECYCLE_OPTIONS = Symbol('TENANT_LIFECYCLE_OPTIONS');
