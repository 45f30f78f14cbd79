import { readOptions } from '@fledge-internal/options';
import { Inject, Injectable } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { placeOf } from '../option-rules.js';
import { Tenancy } from '../scope/tenancy.js';
import type { TenantStatus } from '../tenant-context.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRecord } from '../tenant.options.js';
import { removeTenant, setTenantStatus } from './change-tenant.js';
import { createTenant } from './create-tenant.js';
import { CREATE, REPORTS, RUN, STATUS } from './lifecycle-option-tables.js';
import { LifecycleRuns } from './lifecycle-runs.js';
import {
  LIFECYCLE_OPTIONS,
  type TenantCreateOptions,
  type TenantLifecycleOptions,
  type TenantRunOptions,
  type TenantStatusOptions,
  type TenantRunReport,
  type TenantStepOutcome,
} from './lifecycle.options.js';
import { migrateJob, onceJob, resolveTarget } from './step-runner.js';
import { isCurrent, type TenantStatusReport } from './tenant-status.js';

/** Creates, migrates, seeds and removes tenants. Inject it, or use `fledge tenant`. */
@Injectable()
export class TenantLifecycle {
  private readonly runs: LifecycleRuns;

  constructor(
    @Inject(LIFECYCLE_OPTIONS) private readonly options: TenantLifecycleOptions,
    @Inject(TENANT_OPTIONS) { identifier }: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    tenancy: Tenancy,
  ) {
    this.runs = new LifecycleRuns({ options, identifier, directory, tenancy });
  }

  /**
   * Creates a tenant. First adds the tenant with the status `provisioning`. Then runs `provision`,
   * `migrate` and `seed`, and sets the final status. If a step fails, the earlier steps are kept,
   * and `resume` continues the creation.
   *
   * @returns one outcome for each step. The list is empty if `resume` finds a complete tenant
   * @throws TenantExistsError, TenantLockedError, TenantStepError, InvalidTenantError,
   * TenantOptionError
   * @example
   * ```ts
   * await lifecycle.create({ tenantId: 'acme' });
   * ```
   */
  async create(
    record: TenantRecord,
    options: TenantCreateOptions = {},
  ): Promise<TenantStepOutcome[]> {
    const read = readOptions(options, CREATE, placeOf('TenantLifecycle.create'));
    return this.runs.changing('create', read, (change) => createTenant(change, record, read));
  }

  /**
   * Removes a tenant. First suspends the tenant and runs `drop`. Then removes the tenant from the
   * store and the ledger. Does not wait for running requests. If there is no `drop`, the outcome of
   * this step is `skipped`, and `reason` says what stays. If `drop` fails, the tenant stays
   * suspended, or in provisioning if its creation was not finished. Call this function again:
   * `setStatus` and `create` then throw.
   * @param tenant the id or identifier of the tenant
   * @throws UnknownTenantError, TenantLockedError, TenantStepError, TenantOptionError
   */
  async remove(
    tenant: string,
    options: Pick<TenantRunOptions, 'onOutcome' | 'onLog'> = {},
  ): Promise<TenantStepOutcome[]> {
    const read = readOptions(options, REPORTS, placeOf('TenantLifecycle.remove'));
    return this.runs.changing('remove', read, (change) => removeTenant(change, tenant, read));
  }

  /**
   * Sets the status of a tenant in the store. Other processes use the new status after their cache
   * entries expire. Also repairs a record with an invalid status.
   * @param tenant the id or identifier of the tenant
   * @throws UnknownTenantError, TenantOptionError
   * @throws TenantLockedError if another process creates, migrates or removes the tenant
   * @throws TenantProvisioningError if the creation of the tenant is not finished
   */
  async setStatus(tenant: string, status: Exclude<TenantStatus, 'provisioning'>): Promise<void> {
    if (!SETTABLE.has(status)) {
      throw new TenantOptionError(
        `setStatus() received ${JSON.stringify(status)}. Pass one of ${[...SETTABLE].join(', ')}.`,
      );
    }
    await this.runs.changing('setStatus', {}, (change) => setTenantStatus(change, tenant, status));
  }

  /** Returns the tenants of the store with their status. Logs invalid records. */
  async list(): Promise<TenantRecord[]> {
    const all = await this.runs.central('list', () => this.directory.everyone());
    const valid = all.filter(({ fault }) => fault === undefined);
    return valid.map(({ facts, status }) => ({ ...facts, status }));
  }

  /**
   * Migrates the central database, then the canary tenants, then all other tenants. Skips tenants
   * that already have the current target in the ledger. Continues after failures.
   * @throws TenantOptionError, TenantNotListedError, TenantLedgerPooledError
   */
  async migrate(options: TenantRunOptions = {}): Promise<TenantRunReport> {
    const { central, tenant } = this.options;
    const migrate = tenant?.migrate;
    if (central === undefined && migrate === undefined) throw lacking('tenant.migrate');
    const read = readOptions(options, RUN, placeOf('TenantLifecycle.migrate'));
    return this.runs.running('migrate', read, async (run) => {
      if (central !== undefined) {
        await run.checkNames();
        await run.central(
          migrateJob(await resolveTarget(central.target), read.redo),
          central.migrate,
        );
      }
      if (migrate === undefined) return;
      await run.tenants(migrateJob(await resolveTarget(tenant?.target), read.redo), migrate);
    });
  }

  /**
   * Seeds the tenants that are not seeded yet.
   * @throws the same errors as `migrate`
   */
  async seed(options: TenantRunOptions = {}): Promise<TenantRunReport> {
    const seed = this.options.tenant?.seed;
    if (seed === undefined) throw lacking('tenant.seed');
    const read = readOptions(options, RUN, placeOf('TenantLifecycle.seed'));
    return this.runs.running('seed', read, (run) => run.tenants(onceJob('seed', read.redo), seed));
  }

  /**
   * Runs a task for each tenant. The ledger stores only the last run of each task.
   * @param task a name in `tasks`
   * @throws the same errors as `migrate`
   */
  async run(task: string, options: TenantRunOptions = {}): Promise<TenantRunReport> {
    const { tasks = {} } = this.options;
    const work = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
    if (work === undefined) throw lacking(`tasks.${task}`);
    const read = readOptions(options, RUN, placeOf('TenantLifecycle.run'));
    const job = onceJob(`run:${task}`, read.redo ?? 'all');
    return this.runs.running(job.step, read, (run) => run.tenants(job, work));
  }

  /**
   * Returns the state of each tenant. Reads the store and the ledger.
   * @throws TenantOptionError, TenantNotListedError
   */
  async status(options: TenantStatusOptions = {}): Promise<TenantStatusReport> {
    const read = readOptions(options, STATUS, placeOf('TenantLifecycle.status'));
    const tenants = await this.runs.states(read.tenants, read.pending);
    return { tenants, ok: tenants.every(isCurrent) };
  }
}

/** The name can have any type if the application is written in JavaScript. */
const SETTABLE: ReadonlySet<unknown> = new Set<TenantStatus>([
  'active',
  'suspended',
  'maintenance',
]);

function lacking(option: string): TenantOptionError {
  return new TenantOptionError(
    `TenantLifecycleModule.forRoot() has no option \`${option}\`. Add this option.`,
  );
}
