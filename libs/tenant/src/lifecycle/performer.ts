import { performance } from 'node:perf_hooks';
import type { KnownTenant } from '../directory/known-tenant.js';
import type { Tenancy } from '../scope/tenancy.js';
import type { ReadRun } from './lifecycle-options-check.js';
import type { TenantStepContext, TenantStepOutcome, TenantTask } from './lifecycle.options.js';
import type { StepJob, StepRunner } from './step-runner.js';
import { CENTRAL, type LedgerEntry } from './tenant-ledger.js';

/** Performs steps of one run: for tenants in their scope, or for the central database without a tenant. */
export class Performer {
  /** @param entries by tenant: what the ledger said when the run began */
  constructor(
    private readonly runner: StepRunner,
    private readonly tenancy: Tenancy,
    private readonly entries: ReadonlyMap<string, LedgerEntry>,
    private readonly options: ReadRun,
  ) {}

  /** Waits for the lock of the central database, because nothing may start before it. Does not throw. */
  central(job: StepJob, migrate: (ctx: TenantStepContext) => unknown): Promise<TenantStepOutcome> {
    return this.perform(CENTRAL, job, 'wait', migrate);
  }

  /** Does not throw. */
  tenant(
    job: StepJob,
    known: KnownTenant,
    task: TenantTask,
    lock: 'skip' | 'wait',
  ): Promise<TenantStepOutcome> {
    const tenant = known.contextFor('run');
    return this.perform(known.tenantId, job, lock, (ctx) =>
      this.tenancy.run(tenant, () => task(tenant, ctx)),
    );
  }

  private async perform(
    id: string,
    job: StepJob,
    lock: 'skip' | 'wait',
    work: (ctx: TenantStepContext) => unknown,
  ): Promise<TenantStepOutcome> {
    const started = performance.now();
    const outcome = (rest: Pick<TenantStepOutcome, 'status' | 'error'>): TenantStepOutcome => ({
      tenant: id === CENTRAL ? null : id,
      step: job.step,
      ms: Math.round(performance.now() - started),
      ...rest,
    });
    // Without a lock, which would cost two statements for each tenant: a step that is done stays done.
    if (this.isCurrent(id, job)) return outcome({ status: 'current' });
    if (this.options.dryRun) return outcome({ status: 'pending' });
    try {
      const { runner, options } = this;
      const run = () => runner.step(id, job, work);
      const answer = await runner.whileLocked(id, lock, run, options.signal);
      return answer === 'locked' ? outcome({ status: 'locked' }) : answer;
    } catch (error) {
      return outcome({ status: 'failed', error });
    }
  }

  private isCurrent(id: string, job: StepJob): boolean {
    const entry = this.entries.get(id);
    return entry !== undefined && job.isCurrent(entry);
  }
}
