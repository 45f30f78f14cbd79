import { Logger } from '@nestjs/common';
import { callHook } from '../call-hook.js';
import type { KnownTenant } from '../directory/known-tenant.js';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import type { ResolvedIdentifierRule } from '../identify/identifier.js';
import { runInScope } from '../scope/run-in-scope.js';
import type { Tenancy } from '../scope/tenancy.js';
import { createTenantContext, type TenantContext, type TenantStatus } from '../tenant-context.js';
import { TenantOptionError, TenantProvisioningError } from '../tenant.errors.js';
import type { TenantRecord } from '../tenant.options.js';
import type { ReadReports } from './lifecycle-option-tables.js';
import { TenantLockedError, TenantStepError } from './lifecycle.errors.js';
import type {
  TenantStepContext,
  TenantStepOutcome,
  TenantStepsOptions,
} from './lifecycle.options.js';
import { findListedTenant, requireRecord } from './selected-tenants.js';
import { onceJob, type StepJob, type StepRunner } from './step-runner.js';

export interface TenantChange {
  readonly directory: TenantDirectory;
  readonly tenancy: Tenancy;
  readonly identifier: ResolvedIdentifierRule;
  readonly steps: TenantStepsOptions;
  readonly runner: StepRunner;
}

/** A step of a creation or a removal. */
export interface Part {
  readonly job: StepJob;
  readonly work: (ctx: TenantStepContext) => unknown;
}

/** Opens none of the tenant's connections, because the tenant's database may not exist yet. */
export function inScopeOnly(tenant: TenantContext, work: Part['work']): Part['work'] {
  return (ctx) => runInScope({ kind: 'tenant', tenant }, () => work(ctx));
}

/** @throws TenantStepError if a step fails. Later steps do not run */
export async function inOrder(
  tenant: TenantContext,
  parts: readonly Part[],
  runner: StepRunner,
  { onOutcome }: Pick<ReadReports, 'onOutcome'>,
): Promise<TenantStepOutcome[]> {
  const outcomes: TenantStepOutcome[] = [];
  for (const { job, work } of parts) {
    const outcome = await runner.step(tenant.tenantId, job, work);
    outcomes.push(outcome);
    callHook(() => onOutcome?.(outcome, { finished: outcomes.length, total: parts.length }));
    if (outcome.status === 'failed') {
      throw new TenantStepError(tenant.tenantId, outcomes, outcome.error);
    }
  }
  return outcomes;
}

/** Also removes the tenant from the cache of this process. */
export async function saved(
  { directory, tenancy }: Pick<TenantChange, 'directory' | 'tenancy'>,
  record: TenantRecord,
): Promise<void> {
  await directory.save({ ...record, status: record.status ?? 'active' });
  tenancy.invalidate(record.tenantId);
}

export function contextOf({ tenantId, identifier, data }: TenantRecord): TenantContext {
  return createTenantContext({ tenantId, source: 'run', identifier, data });
}

/** See `TenantLifecycle.remove`. */
export async function removeTenant(
  change: TenantChange,
  name: string,
  options: ReadReports,
): Promise<TenantStepOutcome[]> {
  const { directory, tenancy, steps, runner } = change;
  return whileKnown(change, name, async ({ tenantId, facts, status }) => {
    // A half-created tenant keeps its status, because only a complete tenant can be set to active.
    if (status !== 'provisioning') await saved(change, { ...facts, status: 'suspended' });
    const tenant = contextOf(facts);
    const { drop } = steps;
    const work = drop && inScopeOnly(tenant, (ctx) => drop(tenant, ctx));
    const outcomes =
      work === undefined
        ? [nothingDropped(tenantId, options)]
        : await inOrder(tenant, [{ job: onceJob('drop', 'all'), work }], runner, options);
    // The entries are deleted first. They must not count as steps of a later tenant with the same
    // id. The entry of `drop` stays until the tenant is removed, so that it cannot be set to active.
    await runner.ledger.forget(tenantId, 'drop');
    await directory.remove(tenantId);
    await runner.ledger.forget(tenantId);
    tenancy.invalidate(tenantId);
    return outcomes;
  });
}

function nothingDropped(tenant: string, { onOutcome }: ReadReports): TenantStepOutcome {
  const reason =
    'There is no `tenant.drop`, so the rows, files and cached values of the tenant stay. ' +
    'A later tenant with this id gets them.';
  const outcome = { tenant, step: 'drop', status: 'skipped', ms: 0, reason } as const;
  callHook(() => onOutcome?.(outcome, { finished: 1, total: 1 }));
  new Logger('TenantLifecycle').warn(`${tenant}: ${reason}`);
  return outcome;
}

/** See `TenantLifecycle.setStatus`. */
export function setTenantStatus(
  change: TenantChange,
  name: string,
  status: TenantStatus,
): Promise<void> {
  return whileKnown(change, name, async (known) => {
    if (known.status === 'provisioning') throw new TenantProvisioningError(5);
    await requireNoDrop(change, known.tenantId);
    await saved(change, { ...known.facts, status });
  });
}

/** Locks the tenant, then reads it again: another process may have removed or changed it. */
async function whileKnown<R>(
  { directory, runner }: TenantChange,
  name: string,
  run: (known: KnownTenant) => Promise<R>,
): Promise<R> {
  const { tenantId } = findListedTenant(await directory.everyone(), name);
  const answer = await runner.lock.whileHeld(tenantId, 'skip', async () => {
    const known = findListedTenant(await directory.everyone(), tenantId);
    requireRecord(known);
    return { result: await run(known) };
  });
  if (answer === 'locked') throw new TenantLockedError();
  return answer.result;
}

/** @throws TenantOptionError if `drop` may have deleted a part of the tenant */
export async function requireNoDrop({ runner }: TenantChange, tenantId: string): Promise<void> {
  if ((await runner.ledger.entry({ tenant: tenantId, step: 'drop' })) === undefined) return;
  throw new TenantOptionError(
    `The removal of the tenant "${tenantId}" did not finish, so its data may be incomplete. ` +
      'Call remove() again.',
  );
}
