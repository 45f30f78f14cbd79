import { callback, count, type OptionTable, readOptions } from '@fledge-internal/options';
import { placeOf } from '../option-rules.js';
import { currentTenant } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';

/** Options of `tenantMetricLabel()`. */
export interface TenantMetricLabelOptions {
  /**
   * The label of a tenant, such as its plan, or its id if it is one of your largest. Undefined or an error
   * becomes `other`.
   */
  readonly by: (tenant: TenantContext) => string | undefined;
  /** How many labels `by` may give; further ones become `other`. @default 50 */
  readonly max?: number;
}

/**
 * Returns a function that gives the current tenant's label for metrics: at most `max` values, `other`, and
 * `none` without a tenant. Ids of tenants are no labels: each would be a time series that is kept.
 *
 * @throws TenantOptionError
 * @example
 * ```ts
 * const plan = tenantMetricLabel({ by: (tenant) => tenant.data?.plan });
 * requests.inc({ plan: plan() });
 * ```
 */
export function tenantMetricLabel(options: TenantMetricLabelOptions): () => string {
  const { by, max } = readOptions(options, OPTIONS, placeOf('tenantMetricLabel'));
  const known = new Set<string>();
  return () => {
    const tenant = currentTenant();
    if (tenant === undefined) return 'none';
    const label = labelOf(tenant, by);
    if (known.has(label)) return label;
    if (known.size >= max) return OTHER;
    if (label !== OTHER) known.add(label);
    return label;
  };
}

const OPTIONS = {
  by: callback<TenantMetricLabelOptions['by']>().required,
  max: count.default(50),
} satisfies OptionTable<TenantMetricLabelOptions>;

const OTHER = 'other';

/** A metric does not fail a request. JavaScript callers may return anything. */
function labelOf(tenant: TenantContext, by: TenantMetricLabelOptions['by']): string {
  try {
    const label: unknown = by(tenant);
    return typeof label === 'string' && label !== '' ? label : OTHER;
  } catch {
    return OTHER;
  }
}
