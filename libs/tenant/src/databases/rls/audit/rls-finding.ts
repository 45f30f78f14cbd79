import type { Finding } from '../../finding.js';

/**
 * A finding of the audit. `error` means that a tenant could read or write rows of another tenant,
 * or that the tables are unusable.
 */
export interface RlsFinding extends Finding<RlsFindingCode> {
  /**
   * The role, a table, or a part of a table. A table is written as `schema.table`, and a part as
   * `schema.table part`.
   */
  readonly subject: string;
}

/** Stable codes. The documentation of the audit explains them. */
export type RlsFindingCode =
  | 'SUPERUSER'
  | 'BYPASSRLS'
  | 'ROLE_ESCAPES'
  | 'OWNS_TABLES'
  | 'TENANT_PRESET'
  | 'SET_CONFIG_ALLOWED'
  | 'NO_TABLES'
  | 'TABLE_NOT_FOUND'
  | 'COLUMN_NOT_FOUND'
  | 'COLUMN_IGNORES_CASE'
  | 'FOREIGN_TABLE'
  | 'RLS_DISABLED'
  | 'OWNER_WITHOUT_FORCE'
  | 'NO_POLICY'
  | 'POLICY_SPLIT'
  | 'POLICY_WITHOUT_TENANT'
  | 'POLICY_CHECK_OPEN'
  | 'POLICY_UNRECOGNIZED'
  | 'POLICY_WIDENED'
  | 'VIEW_WITHOUT_SECURITY_INVOKER'
  | 'MATERIALIZED_VIEW'
  | 'RULE'
  | 'SECURITY_DEFINER'
  | 'UNIQUE_WITHOUT_TENANT'
  | 'EXCLUSION_WITHOUT_TENANT'
  | 'FOREIGN_KEY_WITHOUT_TENANT'
  | 'INDEX_WITHOUT_TENANT'
  | 'SEQUENCE_PRIVILEGE'
  | 'TRUNCATE_PRIVILEGE'
  | 'SERVER_VERSION';
