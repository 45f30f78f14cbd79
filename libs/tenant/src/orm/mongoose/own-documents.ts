import { TenantRowMismatchError, TenantUnguardedError } from '../../tenant.errors.js';

export type Document = Record<string, unknown>;

/** The documents of the current tenant in a collection. */
export interface OwnDocuments {
  readonly field: string;
  /** The tenant's id in the format of documents. */
  readonly value: unknown;
  /** The tenant's field, such as `notes.tenantId`. */
  readonly place: string;
}

/** Adds the tenant's condition to the caller's filter. */
export function filtered(filter: unknown, { field, value }: OwnDocuments): Document {
  const given = plain(filter);
  // The condition is added next to the caller's filter. $and is not used, because MongoDB requires
  // $text and $near at the top level.
  if (!Object.hasOwn(given, field)) return { ...given, [field]: value };
  return isSame(given[field], value) ? given : { $and: [given, { [field]: value }] };
}

/** If the document already has a tenant, checks it. @throws TenantRowMismatchError */
export function filled(document: unknown, own: OwnDocuments): Document {
  const given = plain(document);
  if (given[own.field] === undefined) return { ...given, [own.field]: own.value };
  checkValue(given[own.field], own);
  return given;
}

/** @throws TenantRowMismatchError, TenantUnguardedError if the update changes the tenant */
export function guardedUpdate(update: unknown, own: OwnDocuments, upsert: unknown): unknown {
  if (Array.isArray(update)) return guardedStages(update as Document[], own);
  const given: Document = {};
  for (const [operator, changes] of Object.entries(plain(update))) {
    given[operator] = changes instanceof Map ? plain(changes) : changes;
    for (const [path, value] of Object.entries(plain(changes))) {
      checkChange({ operator, path, value }, own);
    }
  }
  if (upsert !== true || hasTenant(given['$set'], own)) return given;
  const onInsert = given['$setOnInsert'] as Document | undefined;
  return { ...given, $setOnInsert: { ...onInsert, [own.field]: own.value } };
}

/** @throws TenantUnguardedError if the collation could make two tenants' ids equal */
export function checkCollation(options: unknown, { place }: OwnDocuments): void {
  const { collation } = (options ?? {}) as { collation?: unknown };
  const { strength = 3, alternate, numericOrdering } = plain(collation);
  const isLoose = Number(strength) < 3 || alternate === 'shifted' || numericOrdering === true;
  if (!isLoose) return;
  throw new TenantUnguardedError(
    'The collation of the query',
    `the collation may treat two different tenants in \`${place}\` as equal`,
    'Use `strength: 3` without `alternate` and `numericOrdering`',
  );
}

/** @throws TenantRowMismatchError */
function checkValue(value: unknown, own: OwnDocuments): void {
  if (!isSame(value, own.value)) throw new TenantRowMismatchError(`The value of \`${own.place}\``);
}

/**
 * A new document gets the fields of the filter. They must not contain another tenant.
 * @throws TenantRowMismatchError
 */
export function checkUpsertFilter(filter: unknown, own: OwnDocuments, upsert: unknown): void {
  const value = plain(filter)[own.field];
  const isValue = typeof value !== 'object' || isObjectId(value);
  if (upsert === true && value !== undefined && isValue) checkValue(value, own);
}

/** Converts a map to an object. The driver accepts maps as documents, at each level. */
export function plain(document: unknown): Document {
  if (document instanceof Map) return Object.fromEntries(document) as Document;
  return (document ?? {}) as Document;
}

interface Change {
  readonly operator: string;
  readonly path: string;
  readonly value: unknown;
}

function checkChange({ operator, path, value }: Change, own: OwnDocuments): void {
  const renamed = operator === '$rename' && isIn(String(value), own.field);
  if (!isIn(path, own.field) && !renamed) return;
  const sets = operator === '$set' || operator === '$setOnInsert';
  if (sets && path === own.field) return checkValue(value, own);
  throw new TenantUnguardedError(
    `${operator} of \`${own.place}\``,
    'the update changes the tenant of the document',
    'Omit the field, because the guard sets the tenant',
  );
}

/** Sets the tenant at the end, because earlier stages may replace the whole document. */
function guardedStages(stages: readonly Document[], own: OwnDocuments): Document[] {
  for (const stage of stages) {
    for (const changes of [stage['$set'], stage['$addFields']] as (Document | undefined)[]) {
      if (hasTenant(changes, own)) checkValue(changes?.[own.field], own);
    }
  }
  return [...stages, { $set: { [own.field]: { $literal: own.value } } }];
}

function hasTenant(changes: unknown, { field }: OwnDocuments): boolean {
  return (changes as Document | undefined)?.[field] !== undefined;
}

function isIn(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/** Compares ids. ObjectIds are compared as strings. */
function isSame(value: unknown, own: unknown): boolean {
  if (value === own) return true;
  if (!isObjectId(value) || !isObjectId(own)) return false;
  return value.toHexString() === own.toHexString();
}

/** Returns true for values that `isSame()` can compare. NaN would be the id of several tenants. */
export function isId(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isNaN(value);
  return typeof value === 'string' || typeof value === 'bigint' || isObjectId(value);
}

function isObjectId(value: unknown): value is { toHexString(): string } {
  return typeof (value as { toHexString?: unknown } | null)?.toHexString === 'function';
}
