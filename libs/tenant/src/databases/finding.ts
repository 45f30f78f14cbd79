/**
 * A finding of an audit. `error` means that a tenant could read or write rows of another tenant, or
 * that the tables are unusable.
 */
export interface Finding<Code extends string> {
  readonly code: Code;
  readonly severity: 'error' | 'warning';
  readonly subject: string;
  readonly message: string;
  /** The fix for the problem, as SQL if possible. */
  readonly cure: string;
}

const finding =
  (severity: 'error' | 'warning') =>
  <Code extends string>(
    code: Code,
    subject: string,
    message: string,
    cure: string,
  ): Finding<Code> => ({ code, severity, subject, message, cure });

export const error = finding('error');
/** The problem may be harmless. */
export const warning = finding('warning');
