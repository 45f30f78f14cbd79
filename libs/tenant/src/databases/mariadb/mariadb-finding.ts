/** A finding of `auditMariadb()`. `error`: a tenant could see or write rows of another, or no rows can be used. */
export interface MariadbFinding {
  readonly code: MariadbFindingCode;
  readonly severity: 'error' | 'warning';
  /** The account, or a view or table as `database.name`. */
  readonly subject: string;
  readonly message: string;
  /** What to do; as SQL if possible. */
  readonly cure: string;
}

/** Stable codes. The documentation of the audit explains them. */
export type MariadbFindingCode =
  | 'GLOBAL_PRIVILEGE'
  | 'TABLE_PRIVILEGE'
  | 'VIEW_PRIVILEGE'
  | 'ROLE_GRANTED'
  | 'NO_VIEWS'
  | 'NOT_A_VIEW'
  | 'VIEW_UNREADABLE'
  | 'VIEW_INVOKER'
  | 'VIEW_WITHOUT_CHECK'
  | 'VIEW_UNRECOGNIZED'
  | 'DEFINER_ROUTINE'
  | 'TENANT_PRESET'
  | 'ROWS_WITHOUT_TENANT';
