/** The field that an impersonation adds to the tenant. */
export interface ImpersonatedTenant {
  /** The support person who acts in the tenant. See `@fledge/tenant/impersonation`. */
  readonly impersonatedBy?: string;
}

/** Rejects control characters and line separators. They could be used to forge log lines. */
export function isImpersonator(by: unknown): by is string {
  return typeof by === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u.test(by);
}
