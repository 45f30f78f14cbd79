/** What the audit found. `error`: a tenant could see or write rows of another, or nothing at all works. */
export interface RlsFinding {
  readonly code: RlsFindingCode;
  readonly severity: 'error' | 'warning';
  /** Whose: the role, a table as `schema.table`, or a part of one as `schema.table part`. */
  readonly subject: string;
  readonly message: string;
  /** What to do, where possible as SQL. */
  readonly cure: string;
}

export type RlsFindingCode =
  | 'SUPERUSER'
  | 'BYPASSRLS'
  | 'NO_TABLES'
  | 'TABLE_NOT_FOUND'
  | 'COLUMN_NOT_FOUND'
  | 'RLS_DISABLED'
  | 'OWNER_WITHOUT_FORCE'
  | 'NO_POLICY'
  | 'POLICY_SPLIT'
  | 'POLICY_WITHOUT_TENANT'
  | 'POLICY_CHECK_OPEN'
  | 'POLICY_WIDENED'
  | 'VIEW_WITHOUT_SECURITY_INVOKER'
  | 'MATERIALIZED_VIEW'
  | 'UNIQUE_WITHOUT_TENANT'
  | 'FOREIGN_KEY_WITHOUT_TENANT'
  | 'TRUNCATE_PRIVILEGE'
  | 'SERVER_VERSION';
