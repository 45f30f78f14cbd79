import { createTenantContext, type TenantContext, type TenantStatus } from '../tenant-context.js';
import type { TenantRecord } from '../tenant.options.js';
import { kindOf } from '../value-kind.js';

/** The reason why a tenant's record is invalid. */
export interface RecordFault {
  readonly reason: string;
  /** True if only the status is invalid. Setting another status then repairs the record. */
  readonly isStatus: boolean;
}

/** A tenant with its status. All requests share this object while the tenant is in the cache. */
export class KnownTenant {
  private readonly contexts = new Map<string, TenantContext>();

  constructor(
    private readonly record: TenantRecord,
    /** The identifier that requests send. Undefined if requests send the tenant's id. */
    readonly identifier?: string,
    /**
     * Set only if the store's list contains an invalid record. The tenant then counts as suspended.
     */
    readonly fault?: RecordFault,
  ) {}

  /** The store's record, with the identifier of the tenant. */
  get facts(): TenantRecord {
    const { identifier } = this;
    return { ...this.record, ...(identifier !== undefined && { identifier }) };
  }

  get tenantId(): string {
    return this.record.tenantId;
  }

  /** The property `name` in the data of the record. */
  get name(): string | undefined {
    const { name } = (this.record.data ?? {}) as { readonly name?: unknown };
    return typeof name === 'string' ? name : undefined;
  }

  get status(): TenantStatus {
    return this.record.status ?? 'active';
  }

  get retryAfterSeconds(): number {
    return this.record.retryAfterSeconds ?? (this.status === 'provisioning' ? 5 : 60);
  }

  /** Each source always gets the same object, so contexts can be compared. */
  contextFor(source: string): TenantContext {
    const known = this.contexts.get(source);
    if (known !== undefined) return known;
    const { tenantId, status, data } = this.record;
    const { identifier } = this;
    const context = createTenantContext({ tenantId, source, identifier, status, data });
    this.contexts.set(source, context);
    return context;
  }
}

/** Returns undefined if the record is valid. */
export function findRecordFault(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) {
    return `the record is ${kindOf(answer)}, but must be an object`;
  }
  const { tenantId, identifier, status, retryAfterSeconds, data } = answer as Partial<
    Record<keyof TenantRecord, unknown>
  >;
  if (typeof tenantId !== 'string') {
    return `\`tenantId\` is ${kindOf(tenantId)}, but must be a string`;
  }
  if (tenantId === '') return '`tenantId` is empty';
  // Null is accepted for optional properties, because drivers return it for columns without a value.
  // A null status is rejected: the tenant could be meant as suspended.
  if (identifier != null && typeof identifier !== 'string') {
    return `\`identifier\` is ${kindOf(identifier)}, but must be a string`;
  }
  if (status !== undefined && !STATUSES.has(status)) {
    const given = typeof status === 'string' ? `"${status}"` : kindOf(status);
    return `\`status\` is ${given}, but must be one of ${[...STATUSES].join(', ')}`;
  }
  if (retryAfterSeconds != null && !isDuration(retryAfterSeconds)) {
    return '`retryAfterSeconds` must be a whole number of at least 0';
  }
  if (data != null && typeof data !== 'object') {
    return `\`data\` is ${kindOf(data)}, but must be an object`;
  }
  return undefined;
}

const STATUSES: ReadonlySet<unknown> = new Set<TenantStatus>([
  'active',
  'suspended',
  'maintenance',
  'provisioning',
]);

function isDuration(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
