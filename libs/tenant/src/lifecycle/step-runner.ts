import { performance } from 'node:perf_hooks';
import { callHook } from '../call-hook.js';
import type {
  TenantRunOptions,
  TenantStepContext,
  TenantStepOutcome,
  TenantTarget,
} from './lifecycle.options.js';
import { MigrationLock } from './migration-lock.js';
import { CENTRAL, type LedgerEntry, type TenantLedger } from './tenant-ledger.js';

export interface StepJob {
  /** Name of the step in the ledger, such as `migrate`. */
  readonly step: string;
  /** Name of the version after the step. It is '' if versions have no names. */
  readonly target: string;
  /** Returns true if nothing has to be done, according to a ledger entry. */
  readonly isCurrent: (entry: LedgerEntry) => boolean;
}

export class StepRunner {
  readonly lock: MigrationLock;

  constructor(
    readonly ledger: TenantLedger,
    busy: Set<string>,
    private readonly onLog: TenantRunOptions['onLog'],
  ) {
    this.lock = new MigrationLock(ledger, busy);
  }

  /** Locks the tenant while `run` performs the step. Never throws. */
  async whileLocked(
    tenant: string,
    job: StepJob,
    { lock, signal }: { readonly lock: 'skip' | 'wait'; readonly signal: AbortSignal | undefined },
    run: () => Promise<TenantStepOutcome>,
  ): Promise<TenantStepOutcome> {
    const end = startOutcome(tenant, job);
    try {
      const answer = await this.lock.whileHeld(tenant, lock, run, signal);
      return answer === 'locked' ? end({ status: 'locked' }) : answer;
    } catch (error) {
      return end({ status: 'failed', error });
    }
  }

  /** The tenant must be locked. Skips the step if it is current in the ledger. Never throws. */
  async step(
    tenant: string,
    job: StepJob,
    work: (ctx: TenantStepContext) => unknown,
  ): Promise<TenantStepOutcome> {
    const key = { tenant, step: job.step };
    const end = startOutcome(tenant, job);
    let begun: { readonly attempt: number } | undefined;
    try {
      const entry = await this.ledger.entry(key);
      if (entry !== undefined && job.isCurrent(entry)) return end({ status: 'current' });
      begun = { attempt: await this.ledger.begin(key, job.target) };
      const failure = await this.failureOf(tenant, begun.attempt, work);
      await this.ledger.finish(key, failure ?? {});
      return end({
        ...begun,
        ...(failure ? { status: 'failed', ...failure } : { status: 'done' }),
      });
    } catch (error) {
      return end({ ...begun, status: 'failed', error });
    }
  }

  private async failureOf(
    tenant: string,
    attempt: number,
    work: (ctx: TenantStepContext) => unknown,
  ): Promise<{ readonly error: unknown } | undefined> {
    const log = (text: string) =>
      callHook(() => this.onLog?.(tenant === CENTRAL ? null : tenant, text));
    try {
      await work({ signal: this.ledger.session.lost, attempt, log });
      return undefined;
    } catch (error) {
      return { error };
    }
  }
}

/** Starts a timer for an outcome. Returns a function that creates the outcome. */
export function startOutcome(tenant: string, { step }: StepJob) {
  const started = performance.now();
  return (
    rest: Pick<TenantStepOutcome, 'status' | 'attempt' | 'error' | 'reason'>,
  ): TenantStepOutcome => ({
    tenant: tenant === CENTRAL ? null : tenant,
    step,
    ms: Math.round(performance.now() - started),
    ...rest,
  });
}

/** Skipped if the ledger contains a finished step with this target. */
export function migrateJob(target: string | undefined, redo?: TenantRunOptions['redo']): StepJob {
  return {
    step: 'migrate',
    target: target ?? '',
    isCurrent: (entry) =>
      redo !== 'all' && entry.status === 'done' && target !== undefined && entry.target === target,
  };
}

export function onceJob(step: string, redo: TenantRunOptions['redo'] = 'unfinished'): StepJob {
  return {
    step,
    target: '',
    isCurrent: (entry) => redo === 'unfinished' && entry.status === 'done',
  };
}

/** Returns undefined if the migrations have no name. */
export async function resolveTarget(target: TenantTarget | undefined): Promise<string | undefined> {
  return typeof target === 'function' ? target() : target;
}
