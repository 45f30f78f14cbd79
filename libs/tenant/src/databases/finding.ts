const finding =
  (severity: 'error' | 'warning') =>
  <Code extends string>(code: Code, subject: string, message: string, cure: string) => ({
    code,
    severity,
    subject,
    message,
    cure,
  });

/** Creates a finding of an audit: a tenant could see or write rows of another, or no rows can be used. */
export const error = finding('error');

/** Creates a finding of an audit that need not be a fault. */
export const warning = finding('warning');
