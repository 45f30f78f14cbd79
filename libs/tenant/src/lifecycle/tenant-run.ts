import { callHook } from '../call-hook.js';
import type { KnownTenant, RecordFault } from '../directory/known-tenant.js';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import type { Tenancy } from '../scope/tenancy.js';
import { TenantStoreUnavailableError } from '../tenant.errors.js';
import type { ReadRun } from './lifecycle-option-tables.js';
import type {
  TenantRunReport,
  TenantStepContext,
  TenantStepOutcome,
  TenantTask,
} from './lifecycle.options.js';
import {
  invalidRecordError,
  namedBy,
  readAgain,
  reasonToSkip,
  requireListed,
  selectedTenants,
} from './selected-tenants.js';
import { startOutcome, type StepJob, type StepRunner } from './step-runner.js';
import { CENTRAL, type LedgerEntry } from './tenant-ledger.js';

type Perform = (tenant: KnownTenant, lock: 'skip' | 'wait') => Promise<TenantStepOutcome>;

export interface TenantRunParts {
  readonly step: string;
  readonly options: ReadRun;
  readonly runner: StepRunner;
  readonly tenancy: Tenancy;
  /** The ledger entries at the start of the run, by tenant. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** Aborts when the connection that holds the locks is lost. */
  readonly lost: AbortSignal;
  readonly directory: TenantDirectory;
}

const REMOVED = 'The tenant was removed from the store during the run.';

/**
 * One run over all tenants. It processes the canaries first. Then it processes the other tenants
 * concurrently. At the end, it processes tenants that were added during the run.
 */
export class TenantRun {
  private readonly outcomes: TenantStepOutcome[] = [];
  private readonly seen = new Set<string>();
  /** Locked tenants. They are tried again at the end. */
  private locked: KnownTenant[] = [];
  private total = 0;
  private finished = 0;
  private failures = 0;
  private stopped: TenantRunReport['stopped'];
  private centralIsPending = false;

  constructor(private readonly parts: TenantRunParts) {}

  /**
   * Validates the names in the options before anything is changed. Does nothing if the store cannot
   * list tenants, because the central migration may create the store's table.
   * @throws TenantNotListedError
   */
  async checkNames(): Promise<void> {
    const { options, directory } = this.parts;
    const { tenants = [], skip, canary } = options;
    const names = [...tenants, ...skip, ...(typeof canary === 'number' ? [] : canary)];
    if (names.length === 0) return;
    const all = await directory.everyone().catch(() => undefined);
    if (all !== undefined) requireListed(all, options);
  }

  /** Waits for the lock, because this step must finish before all others. */
  async central(job: StepJob, migrate: (ctx: TenantStepContext) => unknown): Promise<void> {
    const outcome = await this.perform(CENTRAL, job, 'wait', () =>
      this.parts.runner.step(CENTRAL, job, migrate),
    );
    this.tell(outcome);
    if (outcome.status === 'failed') this.stopped = 'central';
    this.centralIsPending = outcome.status === 'pending';
  }

  /** @throws TenantNotListedError if `tenants`, `skip` or `canary` contains an unknown tenant */
  async tenants(job: StepJob, task: TenantTask): Promise<void> {
    if (this.stopped !== undefined) return;
    const { options, directory } = this.parts;
    const all = await this.listed();
    if (all === undefined) return;
    requireListed(all, options);
    const perform: Perform = (known, lock) =>
      this.perform(known.tenantId, job, lock, () => this.step(known, job, task));
    const queue = this.admitted(selectedTenants(all, options));
    await this.canaries(queue, perform);
    await this.work(queue, perform);
    if (this.stopped !== undefined || options.dryRun) return;
    const born =
      options.tenants === undefined ? selectedTenants(await directory.everyone(), options) : [];
    await this.work(this.admitted(born), perform);
    // Locked tenants are last. The process then has nothing else to do while it waits.
    await this.work(this.locked.splice(0), (tenant) => perform(tenant, options.lock));
  }

  private async perform(
    tenant: string,
    job: StepJob,
    lock: 'skip' | 'wait',
    step: () => Promise<TenantStepOutcome>,
  ): Promise<TenantStepOutcome> {
    const { entries, options, runner } = this.parts;
    const entry = entries.get(tenant);
    // The entry is read without a lock, because a lock takes two statements per tenant. Finished
    // steps stay finished.
    const isCurrent = entry !== undefined && job.isCurrent(entry);
    if (isCurrent) return startOutcome(tenant, job)({ status: 'current' });
    if (options.dryRun) return startOutcome(tenant, job)({ status: 'pending' });
    return runner.whileLocked(tenant, job, { lock, signal: options.signal }, step);
  }

  /** Reads the locked tenant again, because another process may have removed or changed it. */
  private async step(
    listed: KnownTenant,
    job: StepJob,
    task: TenantTask,
  ): Promise<TenantStepOutcome> {
    const { directory, runner, tenancy } = this.parts;
    const known = await readAgain(directory, listed);
    if (known === undefined || known.status === 'provisioning') {
      const reason = known === undefined ? REMOVED : reasonToSkip(known);
      return startOutcome(listed.tenantId, job)({ status: 'skipped', reason });
    }
    if (known.fault) throw invalidRecordError(known.tenantId, known.fault);
    const tenant = known.contextFor('run');
    return runner.step(known.tenantId, job, (ctx) => tenancy.run(tenant, () => task(tenant, ctx)));
  }

  /** Undefined in a dry run if only the central migration would create the store's table. */
  private async listed(): Promise<readonly KnownTenant[] | undefined> {
    try {
      return await this.parts.directory.everyone();
    } catch (error) {
      if (!this.centralIsPending || !(error instanceof TenantStoreUnavailableError)) throw error;
      this.stopped = 'unlisted';
      return undefined;
    }
  }

  report(): TenantRunReport {
    for (const tenant of this.locked.splice(0)) this.give(tenant, 'locked');
    const { outcomes, stopped } = this;
    const ok = !outcomes.some(({ status }) => status === 'failed' || status === 'locked');
    const complete = stopped === undefined || stopped === 'unlisted';
    return { outcomes, ...(stopped !== undefined && { stopped }), ok: ok && complete };
  }

  /** Omits seen tenants. Skips tenants in `provisioning`, because their creation migrates them. */
  private admitted(tenants: readonly KnownTenant[]): KnownTenant[] {
    const fresh = tenants.filter(({ tenantId }) => !this.seen.has(tenantId));
    this.total += fresh.length;
    for (const { tenantId } of fresh) this.seen.add(tenantId);
    for (const tenant of fresh) {
      if (tenant.fault) this.fail(tenant.tenantId, tenant.fault);
      else if (tenant.status === 'provisioning') this.give(tenant, 'skipped', reasonToSkip(tenant));
    }
    return fresh.filter(({ status, fault }) => status !== 'provisioning' && !fault);
  }

  /**
   * Removes the canaries from the queue. If `canary` is a number, current, locked and skipped
   * tenants do not count.
   */
  private async canaries(queue: KnownTenant[], perform: Perform): Promise<void> {
    const { canary } = this.parts.options;
    const named = typeof canary === 'number' ? [] : queue.filter((it) => namedBy(it, canary));
    for (const tenant of named) queue.splice(queue.indexOf(tenant), 1);
    const line = typeof canary === 'number' ? queue : named;
    let left = typeof canary === 'number' ? canary : named.length;
    while (left > 0 && line.length > 0 && this.mayGoOn()) {
      const status = await this.one(line.shift()!, perform);
      if (status === 'failed') this.stopped ??= 'canary';
      if (status === 'done' || status === 'failed' || status === 'pending') left -= 1;
    }
    queue.unshift(...named);
  }

  private async work(queue: KnownTenant[], perform: Perform): Promise<void> {
    const { concurrency } = this.parts.options;
    const worker = async () => {
      while (queue.length > 0 && this.mayGoOn()) await this.one(queue.shift()!, perform);
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, worker));
    for (const tenant of queue.splice(0)) this.give(tenant, 'skipped');
  }

  private async one(tenant: KnownTenant, perform: Perform): Promise<TenantStepOutcome['status']> {
    const outcome = await perform(tenant, 'skip');
    if (outcome.status === 'locked') this.locked.push(tenant);
    else this.add(outcome);
    return outcome.status;
  }

  private mayGoOn(): boolean {
    const { signal, maxFailures = Infinity } = this.parts.options;
    if (this.parts.lost.aborted) this.stopped ??= 'ledger';
    else if (signal?.aborted) this.stopped ??= 'signal';
    else if (this.failures >= maxFailures) this.stopped ??= 'failures';
    return this.stopped === undefined;
  }

  private give({ tenantId }: KnownTenant, status: 'skipped' | 'locked', reason?: string): void {
    const { step } = this.parts;
    this.add({ tenant: tenantId, step, status, ms: 0, ...(reason !== undefined && { reason }) });
  }

  private fail(tenantId: string, fault: RecordFault): void {
    const error = invalidRecordError(tenantId, fault);
    this.add({ tenant: tenantId, step: this.parts.step, status: 'failed', ms: 0, error });
  }

  private add(outcome: TenantStepOutcome): void {
    this.finished += 1;
    if (outcome.status === 'failed') this.failures += 1;
    this.tell(outcome);
  }

  private tell(outcome: TenantStepOutcome): void {
    this.outcomes.push(outcome);
    const { finished, total } = this;
    callHook(() => this.parts.options.onOutcome?.(outcome, { finished, total }));
  }
}
