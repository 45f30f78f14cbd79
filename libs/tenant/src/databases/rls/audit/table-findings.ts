import { error, warning } from '../../finding.js';
import { quoteIdentifier, quoteTable } from '../sql-names.js';
import type { CatalogFacts, TableFacts } from './catalog.js';
import { rlsSqlFor, subjectOf } from './finding-subject.js';
import type { RlsFinding } from './rls-finding.js';

/** Policies are checked elsewhere. */
export function auditTable(table: TableFacts, role: string, column: string): RlsFinding[] {
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
    const name = quoteIdentifier(column, 'column');
    return error(
      'COLUMN_IGNORES_CASE',
      subjectOf(table),
      `The column ${name} has the type citext or a non-deterministic collation, so tenants such ` +
        `as "a" and "A" see each other's rows.`,
      `Drop the policies that use the column; ALTER TABLE ${quoteTable(table)} ALTER COLUMN ${name} TYPE text COLLATE "C"; ${rlsSqlFor(table)}`,
    );
  }
  return error(
    'COLUMN_NOT_FOUND',
    subjectOf(table),
    `The table has no column ${quoteIdentifier(column, 'column')}.`,
    `Add the column, set \`column\` to another name, or remove the table from \`tables\`.`,
  );
}

/** Returns a finding if the policies of the table do not apply to the role. */
function protectionFinding(table: TableFacts, role: string): RlsFinding | undefined {
  const subject = subjectOf(table);
  const sql = quoteTable(table);
  if (table.foreign) {
    return error(
      'FOREIGN_TABLE',
      subject,
      'Policies do not apply to foreign tables.',
      `REVOKE ALL ON ${sql} FROM ${quoteIdentifier(role, 'role')}; or add the finding to ` +
        `\`accept\` if the other server separates tenants.`,
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
    `The role ${role} owns the table, so the policies of the table do not apply to the role.`,
    `ALTER TABLE ${sql} FORCE ROW LEVEL SECURITY;`,
  );
}

function truncateFinding(table: TableFacts, role: string): RlsFinding | undefined {
  if (!table.truncates) return undefined;
  return warning(
    'TRUNCATE_PRIVILEGE',
    subjectOf(table),
    'The role may TRUNCATE the table. Policies do not apply to TRUNCATE.',
    `REVOKE TRUNCATE ON ${quoteTable(table)} FROM ${quoteIdentifier(role, 'role')};`,
  );
}

/** Returns findings about keys and constraints that compare rows of all tenants. */
export function auditKeys(facts: CatalogFacts, column: string): RlsFinding[] {
  const name = quoteIdentifier(column, 'column');
  const refused =
    'An insert fails if another tenant has the same value. This reveals the value of the other ' +
    'tenant.';
  const ignored = 'Foreign keys ignore policies, so a row may reference a row of another tenant.';
  const kinds = [
    ['UNIQUE_WITHOUT_TENANT', facts.uniques, refused, 'the unique index'],
    ['EXCLUSION_WITHOUT_TENANT', facts.exclusions, refused, 'the exclusion constraint'],
    [
      'FOREIGN_KEY_WITHOUT_TENANT',
      facts.foreignKeys,
      ignored,
      'the foreign key and to the key that it references',
    ],
  ] as const;
  return kinds.flatMap(([code, parts, message, place]) => {
    const operator = code === 'EXCLUSION_WITHOUT_TENANT' ? ' WITH =' : '';
    const cure = `Add ${name}${operator} to ${place}.`;
    return parts.map((part) => warning(code, subjectOf(part, part.name), message, cure));
  });
}

/** Without an index for the column, statements read the rows of all tenants. */
export function auditIndexes({ unindexed }: CatalogFacts, column: string): RlsFinding[] {
  const name = quoteIdentifier(column, 'column');
  return unindexed.map((table) =>
    warning(
      'INDEX_WITHOUT_TENANT',
      subjectOf(table),
      `No index begins with ${name}, so a statement reads the rows of all tenants to find the rows of one tenant.`,
      `CREATE INDEX ON ${quoteTable(table)} (${name}); or put ${name} first in the primary key.`,
    ),
  );
}

export function auditSequences({ sequences, session }: CatalogFacts): RlsFinding[] {
  return sequences.map((sequence) =>
    warning(
      'SEQUENCE_PRIVILEGE',
      subjectOf(sequence, sequence.name),
      'The role may INSERT rows, but may not use the sequence for their ids, so each INSERT fails.',
      `GRANT USAGE ON SEQUENCE ${sequence.name} TO ${quoteIdentifier(session.role, 'role')};`,
    ),
  );
}
