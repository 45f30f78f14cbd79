/** A finding of an audit. `error`: a tenant could see or write rows of another, or no rows can be used. */
export interface Finding<Code extends string> {
  readonly code: Code;
  readonly severity: 'error' | 'warning';
  readonly subject: string;
  readonly message: string;
  /** What to do; as SQL if possible. */
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

/** Creates a finding: a tenant could see or write rows of another, or no rows can be used. */
export const error = finding('error');
/** Creates a finding that need not be a fault. */
export const warning = finding('warning');
