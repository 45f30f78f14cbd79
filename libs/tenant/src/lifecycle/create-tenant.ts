import { isDeepStrictEqual } from 'node:util';
import { findRecordFault } from '../directory/known-tenant.js';
import { checkIdentifier, type ResolvedIdentifierRule } from '../identify/identifier.js';
import type { TenantContext } from '../tenant-context.js';
import { InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantRecord } from '../tenant.options.js';
import {
  contextOf,
  inOrder,
  inScopeOnly,
  type Part,
  requireNoDrop,
  saved,
  type TenantChange,
} from './change-tenant.js';
import type { ReadCreate } from './lifecycle-option-tables.js';
import { TenantExistsError, TenantLockedError } from './lifecycle.errors.js';
import type { TenantStepOutcome } from './lifecycle.options.js';
import { invalidRecordError } from './selected-tenants.js';
import { migrateJob, onceJob, resolveTarget } from './step-runner.js';

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
    found.tenantId === given.tenantId &&
    (given.identifier == null || (found.identifier ?? found.tenantId) === identifier);
  if (!resume || !isSame) throw new TenantExistsError();
  if (found.fault) throw invalidRecordError(given.tenantId, found.fault);
  requireStored(given, found.facts);
  await requireNoDrop(change, given.tenantId);
  const { status, ...record } = found.facts;
  return {
    record: { ...record, ...(given.status !== undefined && { status: given.status }) },
    isServed: status !== 'provisioning',
  };
}

/**
 * The record in the store is used, so other values would be ignored. The message has no values,
 * because they may be secret.
 * @throws TenantOptionError
 */
function requireStored(given: TenantRecord, stored: TenantRecord): void {
  const valuesOf = ({ retryAfterSeconds, data }: TenantRecord) =>
    Object.entries({ retryAfterSeconds, ...data });
  const values = new Map<string, unknown>(valuesOf(stored));
  const differing = valuesOf(given).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, values.get(name)),
  );
  if (differing.length === 0) return;
  const names = differing.map(([name]) => `\`${name}\``).join(', ');
  throw new TenantOptionError(
    `The stored record of the tenant "${stored.tenantId}" has another value for ${names}, and ` +
      'resuming a creation does not change the record. Omit these values, or change them in the store.',
  );
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

/** @throws InvalidTenantError if requests cannot contain the identifier, or if the id is too long */
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
  // In bytes, because databases limit the bytes of the names that contain the id.
  const isTooLong = Buffer.byteLength(record.tenantId) > rule.maxLength;
  if (isTooLong || checkIdentifier(identifier, rule) !== identifier) {
    throw new InvalidTenantError('The record of the new tenant');
  }
  return identifier;
}
