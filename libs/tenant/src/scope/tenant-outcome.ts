/** The result of the work for one tenant. `skipped` was not started. */
export type TenantOutcome<T = unknown> = {
  readonly tenant: string;
  /** Milliseconds, with the lookup of the tenant. */
  readonly ms: number;
} & (
  | { readonly status: 'done'; readonly value: T }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'skipped' }
);
