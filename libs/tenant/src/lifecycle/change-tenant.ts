import { findRecordFault, type KnownTenant } from '../directory/known-tenant.js';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import { checkIdentifier, type ResolvedIdentifierRule } from '../identify/identifier.js';
import { runInScope } from '../scope/run-in-scope.js';
import type { Tenancy } from '../scope/tenancy.js';
import { createTenantContext, type TenantContext, type TenantStatus } from '../tenant-context.js';
import {
  InvalidTenantError,
  TenantOptionError,
  TenantProvisioningError,
} from '../tenant.errors.js';
import type { TenantRecord } from '../tenant.options.js';
import type { ReadCreate, ReadReports } from './lifecycle-option-tables.js';
import { TenantExistsError, TenantLockedError, TenantStepError } from './lifecycle.errors.js';
import type {
  TenantStepContext,
  TenantStepOutcome,
  TenantStepsOptions,
} from './lifecycle.options.js';
import { findListedTenant, requireRecord } from './selected-tenants.js';
import {
  migrateJob,
  onceJob,
  resolveTarget,
  type StepJob,
  type StepRunner,
} from './step-runner.js';

export interface TenantChange {
  readonly directory: TenantDirectory;
  readonly tenancy: Tenancy;
  readonly identifier: ResolvedIdentifierRule;
  readonly steps: TenantStepsOptions;
  readonly runner: StepRunner;
}

/** A step of a creation or a removal. */
interface Part {
  readonly job: StepJob;
  readonly work: (ctx: TenantStepContext) => unknown;
}

/** See `TenantLifecycle.create`. */
export async function createTenant(
  change: TenantChange,
  given: TenantRecord,
  options: ReadCreate,
): Promise<TenantStepOutcome[]> {
  const identifier = identifierOf(given, change.identifier);
  const answer = await whileNamesHeld(change, given.tenantId, identifier, async () => {
    const { record, isServed } = await begun(change, given, identifier, options);
    if (isServed) return [];
    const tenant = contextOf(record);
    const outcomes = await inOrder(tenant, await partsOf(change, tenant), change.runner, options);
    await saved(change, record);
    return outcomes;
  });
  if (answer === 'locked') throw new TenantLockedError();
  return answer;
}

/** Also locks the identifier, because another call may create a tenant with the same identifier. */
function whileNamesHeld<R>(
  { runner: { lock } }: TenantChange,
  tenantId: string,
  identifier: string,
  run: () => Promise<R>,
): Promise<R | 'locked'> {
  return lock.whileHeld(tenantId, 'skip', () =>
    lock.whileHeld(`identifier:${identifier}`, 'skip', run),
  );
}

/** If the tenant is missing in the store, adds it with the status `provisioning`. */
async function begun(
  change: TenantChange,
  given: TenantRecord,
  identifier: string,
  { resume }: ReadCreate,
): Promise<{ readonly record: TenantRecord; readonly isServed: boolean }> {
  const all = await change.directory.everyone();
  const found =
    all.find(({ tenantId }) => tenantId === given.tenantId) ??
    (await change.directory.read(identifier));
  if (found === null) {
    // Removes entries of an earlier tenant with the same id. That tenant may have been deleted by
    // hand.
    await change.runner.ledger.forget(given.tenantId);
    await saved(change, { ...given, status: 'provisioning' });
    return { record: given, isServed: false };
  }
  // The store has a tenant with the id or identifier. It may be the same tenant or another tenant.
  const isSame =
    found.tenantId === given.tenantId && (found.identifier ?? found.tenantId) === identifier;
  if (!resume || !isSame || found.fault) throw new TenantExistsError();
  await requireNoDrop(change, given.tenantId);
  const { status, ...record } = found.facts;
  return {
    record: { ...record, ...(given.status !== undefined && { status: given.status }) },
    isServed: status !== 'provisioning',
  };
}

async function partsOf({ steps, tenancy }: TenantChange, tenant: TenantContext): Promise<Part[]> {
  const { provision, migrate, seed } = steps;
  const parts: Part[] = [];
  if (provision !== undefined) {
    const work = inScopeOnly(tenant, (ctx) => provision(tenant, ctx));
    parts.push({ job: onceJob('provision'), work });
  }
  if (migrate !== undefined) {
    const job = migrateJob(await resolveTarget(steps.target));
    parts.push({ job, work: (ctx) => tenancy.run(tenant, () => migrate(tenant, ctx)) });
  }
  if (seed !== undefined) {
    const work: Part['work'] = (ctx) => tenancy.run(tenant, () => seed(tenant, ctx));
    parts.push({ job: onceJob('seed'), work });
  }
  return parts;
}

/** Opens none of the tenant's connections, because the tenant's database may not exist yet. */
function inScopeOnly(tenant: TenantContext, work: Part['work']): Part['work'] {
  return (ctx) => runInScope({ kind: 'tenant', tenant }, () => work(ctx));
}

/** @throws TenantStepError if a step fails. Later steps do not run */
async function inOrder(
  tenant: TenantContext,
  parts: readonly Part[],
  runner: StepRunner,
  { onOutcome }: Pick<ReadReports, 'onOutcome'>,
): Promise<TenantStepOutcome[]> {
  const outcomes: TenantStepOutcome[] = [];
  for (const { job, work } of parts) {
    const outcome = await runner.step(tenant.tenantId, job, work);
    outcomes.push(outcome);
    onOutcome?.(outcome, { finished: outcomes.length, total: parts.length });
    if (outcome.status === 'failed') {
      throw new TenantStepError(tenant.tenantId, outcomes, outcome.error);
    }
  }
  return outcomes;
}

/** Also removes the tenant from the cache of this process. */
async function saved(
  { directory, tenancy }: Pick<TenantChange, 'directory' | 'tenancy'>,
  record: TenantRecord,
): Promise<void> {
  await directory.save({ ...record, status: record.status ?? 'active' });
  tenancy.invalidate(record.tenantId);
}

function contextOf({ tenantId, identifier, data }: TenantRecord): TenantContext {
  return createTenantContext({ tenantId, source: 'run', identifier, data });
}

/** @throws InvalidTenantError if requests cannot contain the identifier */
function identifierOf(record: TenantRecord, rule: ResolvedIdentifierRule): string {
  const fault = findRecordFault(record);
  if (fault !== undefined) {
    throw new TenantOptionError(
      `create() received an invalid record: ${fault}. Pass a record such as { tenantId: 'acme' }.`,
    );
  }
  if (record.status === 'provisioning') {
    throw new TenantOptionError(
      `create() does not accept the status 'provisioning'. Pass the status that the tenant gets ` +
        `after its creation.`,
    );
  }
  const identifier = record.identifier ?? record.tenantId;
  if (checkIdentifier(identifier, rule) !== identifier) {
    throw new InvalidTenantError('The record of the new tenant');
  }
  return identifier;
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
    const parts = work === undefined ? [] : [{ job: onceJob('drop', 'all'), work }];
    const outcomes = await inOrder(tenant, parts, runner, options);
    // The entries are deleted first. They must not count as steps of a later tenant with the same
    // id. The entry of `drop` stays until the tenant is removed, so that it cannot be set to active.
    await runner.ledger.forget(tenantId, 'drop');
    await directory.remove(tenantId);
    await runner.ledger.forget(tenantId);
    tenancy.invalidate(tenantId);
    return outcomes;
  });
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
async function requireNoDrop({ runner }: TenantChange, tenantId: string): Promise<void> {
  if ((await runner.ledger.entry({ tenant: tenantId, step: 'drop' })) === undefined) return;
  throw new TenantOptionError(
    `The removal of the tenant "${tenantId}" did not finish, so its data may be incomplete. ` +
      'Call remove() again.',
  );
}
