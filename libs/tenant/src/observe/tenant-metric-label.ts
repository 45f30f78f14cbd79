import { callback, count, type OptionTable, readOptions } from '@fledge-internal/options';
import { placeOf } from '../option-rules.js';
import { currentTenant } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';

/** Options of `tenantMetricLabel()`. */
export interface TenantMetricLabelOptions {
  /**
   * Returns the label of a tenant, such as the tenant's plan. For your largest tenants, the label
   * can be the id. If the function returns undefined or throws, the label is `other`.
   */
  readonly by: (tenant: TenantContext) => string | undefined;
  /** Maximum number of different labels. Further labels become `other`. @default 50 */
  readonly max?: number;
}

/**
 * Returns a function for metrics. The function returns the label of the current tenant, or `none`
 * if there is no tenant. At most `max` different labels are returned. All further labels become
 * `other`. Do not use the ids of all tenants as labels, because each label creates a permanent time
 * series.
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

/**
 * Never throws, because a metric must not fail a request. The label can have any type if the
 * application is written in JavaScript.
 */
function labelOf(tenant: TenantContext, by: TenantMetricLabelOptions['by']): string {
  try {
    const label: unknown = by(tenant);
    return typeof label === 'string' && label !== '' ? label : OTHER;
  } catch {
    return OTHER;
  }
}
