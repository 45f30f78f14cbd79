import type { TenantRunOptions, TenantTarget } from './lifecycle.options.js';
import type { StepJob } from './step-runner.js';

/** Migrates unless the ledger says that it was done for this target. */
export function migrateJob(target: string | undefined, redo?: TenantRunOptions['redo']): StepJob {
  return {
    step: 'migrate',
    target: target ?? '',
    isCurrent: (entry) =>
      redo !== 'all' && entry.status === 'done' && target !== undefined && entry.target === target,
  };
}

/** Works once for each tenant. */
export function onceJob(step: string, redo: TenantRunOptions['redo'] = 'unfinished'): StepJob {
  return {
    step,
    target: '',
    isCurrent: (entry) => redo === 'unfinished' && entry.status === 'done',
  };
}

/** The name of the migrations. Undefined if they have none. */
export async function targetOf(target: TenantTarget | undefined): Promise<string | undefined> {
  return typeof target === 'function' ? target() : target;
}
