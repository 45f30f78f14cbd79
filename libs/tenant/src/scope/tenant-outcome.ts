/** The outcome for one tenant. `skipped` means that the work did not start. */
export type TenantOutcome<T = unknown> = {
  readonly tenant: string;
  /** Duration in milliseconds. Includes the lookup of the tenant. */
  readonly ms: number;
} & (
  | { readonly status: 'done'; readonly value: T }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'skipped' }
);
