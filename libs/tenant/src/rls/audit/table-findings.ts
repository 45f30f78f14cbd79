import { quoted, quotedTable } from '../sql-names.js';
import type { CatalogFacts, TableFacts } from './catalog.js';
import { error, rlsSqlFor, subjectOf, warning } from './finding-of.js';
import type { RlsFinding } from './rls-finding.js';

/** What is wrong with a table, but for its policies. */
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
        `Add it, name another in \`column\`, or take the table off \`tables\`.`,
      ),
    );
  }
  if (table.foreign) {
    found.push(
      error(
        'FOREIGN_TABLE',
        subject,
        'Policies do not hold for foreign tables.',
        `REVOKE ALL ON ${sql} FROM ${quoted(role, 'role')}; or accept it, if the other server keeps tenants apart.`,
      ),
    );
  } else if (!table.enabled) {
    found.push(error('RLS_DISABLED', subject, 'No policy holds for the table.', rlsSqlFor(table)));
  } else if (!table.forced && table.owned) {
    found.push(
      error(
        'OWNER_WITHOUT_FORCE',
        subject,
        `The role ${role} owns the table, so its policies do not hold for it.`,
        `ALTER TABLE ${sql} FORCE ROW LEVEL SECURITY;`,
      ),
    );
  }
  if (table.truncates) {
    found.push(
      warning(
        'TRUNCATE_PRIVILEGE',
        subject,
        'The role may TRUNCATE the table, for which policies do not hold.',
        `REVOKE TRUNCATE ON ${sql} FROM ${quoted(role, 'role')};`,
      ),
    );
  }
  return found;
}

/** What compares rows of all tenants. */
export function keyFindingsOf(facts: CatalogFacts, column: string): RlsFinding[] {
  const name = quoted(column, 'column');
  return [
    ...facts.uniques.map((unique) =>
      warning(
        'UNIQUE_WITHOUT_TENANT',
        subjectOf(unique, unique.name),
        'A tenant learns of a value that another has: its own insert is refused.',
        `Put ${name} into the unique index.`,
      ),
    ),
    ...facts.exclusions.map((exclusion) =>
      warning(
        'EXCLUSION_WITHOUT_TENANT',
        subjectOf(exclusion, exclusion.name),
        'A tenant learns of a value that another has: its own insert is refused.',
        `Put ${name} WITH = into the exclusion constraint.`,
      ),
    ),
    ...facts.foreignKeys.map((key) =>
      warning(
        'FOREIGN_KEY_WITHOUT_TENANT',
        subjectOf(key, key.name),
        'Foreign keys look past policies: a row may point at a row of another tenant.',
        `Put ${name} into the foreign key and the key it points at.`,
      ),
    ),
  ];
}
