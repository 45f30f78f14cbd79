/** The outcome for one tenant. `skipped`: the work was not started. */
export type TenantOutcome<T = unknown> = {
  readonly tenant: string;
  /** Milliseconds, including the lookup of the tenant. */
  readonly ms: number;
} & (
  | { readonly status: 'done'; readonly value: T }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'skipped' }
);
