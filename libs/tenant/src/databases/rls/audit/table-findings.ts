import { quoted, quotedTable } from '../sql-names.js';
import type { CatalogFacts, TableFacts } from './catalog.js';
import { error, rlsSqlFor, subjectOf, warning } from './finding-of.js';
import type { RlsFinding } from './rls-finding.js';

/** Findings about a table, except its policies. */
export function tableFindingsOf(table: TableFacts, role: string, column: string): RlsFinding[] {
  const found = [
    columnFinding(table, column),
    protectionFinding(table, role),
    truncateFinding(table, role),
  ];
  return found.filter((finding) => finding !== undefined);
}

function columnFinding(table: TableFacts, column: string): RlsFinding | undefined {
  if (table.hasColumn && !table.loose) return undefined;
  if (table.hasColumn) {
    const name = quoted(column, 'column');
    return error(
      'COLUMN_IGNORES_CASE',
      subjectOf(table),
      `The column ${name} is citext or has a non-deterministic collation, so tenants such as "a" and "A" see each other's rows.`,
      `Drop the policies that use the column; ALTER TABLE ${quotedTable(table)} ALTER COLUMN ${name} TYPE text COLLATE "C"; ${rlsSqlFor(table)}`,
    );
  }
  return error(
    'COLUMN_NOT_FOUND',
    subjectOf(table),
    `The table has no column ${quoted(column, 'column')}.`,
    `Add it, set \`column\`, or remove the table from \`tables\`.`,
  );
}

/** Why the policies of the table do not apply to the role. */
function protectionFinding(table: TableFacts, role: string): RlsFinding | undefined {
  const subject = subjectOf(table);
  const sql = quotedTable(table);
  if (table.foreign) {
    return error(
      'FOREIGN_TABLE',
      subject,
      'Policies do not apply to foreign tables.',
      `REVOKE ALL ON ${sql} FROM ${quoted(role, 'role')}; or accept it if the other server separates tenants.`,
    );
  }
  if (!table.enabled) {
    return error(
      'RLS_DISABLED',
      subject,
      'Row-level security is not enabled, so policies do not apply.',
      rlsSqlFor(table),
    );
  }
  if (table.forced || !table.owned) return undefined;
  return error(
    'OWNER_WITHOUT_FORCE',
    subject,
    `The role ${role} owns the table, so its policies do not apply to the role.`,
    `ALTER TABLE ${sql} FORCE ROW LEVEL SECURITY;`,
  );
}

function truncateFinding(table: TableFacts, role: string): RlsFinding | undefined {
  if (!table.truncates) return undefined;
  return warning(
    'TRUNCATE_PRIVILEGE',
    subjectOf(table),
    'The role may TRUNCATE the table. Policies do not apply to TRUNCATE.',
    `REVOKE TRUNCATE ON ${quotedTable(table)} FROM ${quoted(role, 'role')};`,
  );
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

/** Findings about tables of which each statement reads the rows of all tenants. */
export function indexFindingsOf({ unindexed }: CatalogFacts, column: string): RlsFinding[] {
  const name = quoted(column, 'column');
  return unindexed.map((table) =>
    warning(
      'INDEX_WITHOUT_TENANT',
      subjectOf(table),
      `No index begins with ${name}, so a statement reads the rows of all tenants to find those of one.`,
      `CREATE INDEX ON ${quotedTable(table)} (${name}); or put ${name} first in the primary key.`,
    ),
  );
}

export function sequenceFindingsOf({ sequences, session }: CatalogFacts): RlsFinding[] {
  return sequences.map((sequence) =>
    warning(
      'SEQUENCE_PRIVILEGE',
      subjectOf(sequence, sequence.name),
      'The role may INSERT rows, but may not use the sequence that numbers them, so an INSERT fails.',
      `GRANT USAGE ON SEQUENCE ${sequence.name} TO ${quoted(session.role, 'role')};`,
    ),
  );
}
