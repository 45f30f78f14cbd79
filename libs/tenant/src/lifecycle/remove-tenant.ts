import type { KnownTenant } from '../directory/known-tenant.js';
import { inOrder, inScopeOnly, saved, type TenantChange, contextOf } from './create-tenant.js';
import { TenantLockedError } from './lifecycle.errors.js';
import type { ReadReports } from './lifecycle-options-check.js';
import type { TenantStepOutcome } from './lifecycle.options.js';
import { requireRecord } from './selected-tenants.js';
import { onceJob } from './step-jobs.js';

/** Removes a tenant. See `TenantLifecycle.remove`. */
export async function removeTenant(
  change: TenantChange,
  known: KnownTenant,
  options: ReadReports,
): Promise<TenantStepOutcome[]> {
  requireRecord(known);
  const { tenantId, facts } = known;
  const { directory, tenancy, steps, runner } = change;
  const answer = await runner.whileLocked(tenantId, 'skip', async () => {
    await saved(change, { ...facts, status: 'suspended' });
    const tenant = contextOf(facts);
    const { drop } = steps;
    const work = drop && inScopeOnly(tenant, (ctx) => drop(tenant, ctx));
    const parts = work === undefined ? [] : [{ job: onceJob('drop', 'all'), work }];
    const outcomes = await inOrder(tenant, parts, runner, options);
    // First: a later tenant with this id must not find these steps done.
    await runner.forget(tenantId);
    await directory.remove(tenantId);
    tenancy.invalidate(tenantId);
    return outcomes;
  });
  if (answer === 'locked') throw new TenantLockedError();
  return answer;
}
