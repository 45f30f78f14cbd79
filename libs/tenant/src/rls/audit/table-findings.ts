import { quoted, quotedTable } from '../sql-names.js';
import type { CatalogFacts, TableFacts } from './catalog.js';
import { error, rlsSqlFor, subjectOf, warning } from './finding-of.js';
import type { RlsFinding } from './rls-finding.js';

/** Findings about a table, except its policies. */
export function tableFindingsOf(table: TableFacts, role: string, column: string): RlsFinding[] {
  const subject = subjectOf(table);
  const sql = quotedTable(table);
  const found: RlsFinding[] = [];
  if (!table.hasColumn) {
    found.push(
      error(
        'COLUMN_NOT_FOUND',
        subject,
        `The table has no column ${quoted(column, 'column')}.`,
        `Add it, set \`column\`, or remove the table from \`tables\`.`,
      ),
    );
  }
  if (table.foreign) {
    found.push(
      error(
        'FOREIGN_TABLE',
        subject,
        'Policies do not apply to foreign tables.',
        `REVOKE ALL ON ${sql} FROM ${quoted(role, 'role')}; or accept it if the other server separates tenants.`,
      ),
    );
  } else if (!table.enabled) {
    found.push(
      error(
        'RLS_DISABLED',
        subject,
        'Row-level security is not enabled, so policies do not apply.',
        rlsSqlFor(table),
      ),
    );
  } else if (!table.forced && table.owned) {
    found.push(
      error(
        'OWNER_WITHOUT_FORCE',
        subject,
        `The role ${role} owns the table, so its policies do not apply to the role.`,
        `ALTER TABLE ${sql} FORCE ROW LEVEL SECURITY;`,
      ),
    );
  }
  if (table.truncates) {
    found.push(
      warning(
        'TRUNCATE_PRIVILEGE',
        subject,
        'The role may TRUNCATE the table. Policies do not apply to TRUNCATE.',
        `REVOKE TRUNCATE ON ${sql} FROM ${quoted(role, 'role')};`,
      ),
    );
  }
  return found;
}

/** Findings about keys and constraints, which compare rows of all tenants. */
export function keyFindingsOf(facts: CatalogFacts, column: string): RlsFinding[] {
  const name = quoted(column, 'column');
  return [
    ...facts.uniques.map((unique) =>
      warning(
        'UNIQUE_WITHOUT_TENANT',
        subjectOf(unique, unique.name),
        'A refused insert shows a tenant that another tenant has the value.',
        `Put ${name} into the unique index.`,
      ),
    ),
    ...facts.exclusions.map((exclusion) =>
      warning(
        'EXCLUSION_WITHOUT_TENANT',
        subjectOf(exclusion, exclusion.name),
        'A refused insert shows a tenant that another tenant has the value.',
        `Put ${name} WITH = into the exclusion constraint.`,
      ),
    ),
    ...facts.foreignKeys.map((key) =>
      warning(
        'FOREIGN_KEY_WITHOUT_TENANT',
        subjectOf(key, key.name),
        'Foreign keys ignore policies: a row may reference a row of another tenant.',
        `Put ${name} into the foreign key and the key it references.`,
      ),
    ),
  ];
}
