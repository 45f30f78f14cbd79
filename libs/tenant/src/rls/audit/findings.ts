import { quoted, quotedTable } from '../sql-names.js';
import type { CatalogFacts, RoleFacts, TableFacts } from './catalog.js';
import { type AuditedNames, policyFindingsOf } from './policy-findings.js';
import { error, rlsSqlFor, subjectOf, warning } from './finding-of.js';
import type { RlsFinding } from './rls-finding.js';
import { flawsOf } from './server-flaws.js';

/** What is wrong with a database, of what its catalog says. */
export function findingsOf(facts: CatalogFacts, names: AuditedNames): RlsFinding[] {
  const secured = facts.tables.filter(({ enabled }) => enabled);
  return [
    ...ofRole(facts.role),
    ...facts.tables.flatMap((table) => ofTable(table, facts.role, names.column)),
    ...secured.flatMap((table) => policyFindingsOf(table, facts.policies, names)),
    ...ofViews(facts),
    ...ofKeys(facts, names.column),
    ...ofServer(facts.role),
  ];
}

function ofRole({ name, superuser, bypassrls }: RoleFacts): RlsFinding[] {
  const cure = `Connect as a role without it: CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS.`;
  if (superuser) {
    return [error('SUPERUSER', name, 'The role is a superuser, for whom no policy holds.', cure)];
  }
  if (!bypassrls) return [];
  return [error('BYPASSRLS', name, 'The role has BYPASSRLS: no policy holds for it.', cure)];
}

function ofTable(table: TableFacts, role: RoleFacts, column: string): RlsFinding[] {
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
  if (!table.enabled) {
    found.push(error('RLS_DISABLED', subject, 'No policy holds for the table.', rlsSqlFor(table)));
  } else if (!table.forced && table.owned) {
    found.push(
      error(
        'OWNER_WITHOUT_FORCE',
        subject,
        `The role ${role.name} owns the table, so its policies do not hold for it.`,
        `ALTER TABLE ${sql} FORCE ROW LEVEL SECURITY;`,
      ),
    );
  }
  if (table.truncates) {
    found.push(
      warning(
        'TRUNCATE_PRIVILEGE',
        subject,
        'The role may TRUNCATE the table, which asks no policy.',
        `REVOKE TRUNCATE ON ${sql} FROM ${quoted(role.name, 'role')};`,
      ),
    );
  }
  return found;
}

function ofViews({ views }: CatalogFacts): RlsFinding[] {
  return views.flatMap((view) => {
    const subject = subjectOf(view);
    if (view.materialized) {
      const message = 'A materialized view holds rows of tenants, and no policy can hold for it.';
      const cure = `Take the role's privileges on ${quotedTable(view)} away.`;
      return [error('MATERIALIZED_VIEW', subject, message, cure)];
    }
    if (view.invoker || !view.ownerEscapes) return [];
    return [
      error(
        'VIEW_WITHOUT_SECURITY_INVOKER',
        subject,
        'The view reads in the name of its owner, for whom no policy holds.',
        `ALTER VIEW ${quotedTable(view)} SET (security_invoker = on); before PostgreSQL 15, ` +
          `give the view to a role for which policies hold.`,
      ),
    ];
  });
}

function ofKeys({ uniques, foreignKeys }: CatalogFacts, column: string): RlsFinding[] {
  return [
    ...uniques.map((unique) =>
      warning(
        'UNIQUE_WITHOUT_TENANT',
        subjectOf(unique, unique.name),
        'A tenant learns of a value that another has: its own insert is refused.',
        `Put ${quoted(column, 'column')} into the unique index.`,
      ),
    ),
    ...foreignKeys.map((key) =>
      warning(
        'FOREIGN_KEY_WITHOUT_TENANT',
        subjectOf(key, key.name),
        'Foreign keys ask no policy: a row may point at a row of another tenant.',
        `Put ${quoted(column, 'column')} into the foreign key and the key it points at.`,
      ),
    ),
  ];
}

function ofServer({ serverVersion }: RoleFacts): RlsFinding[] {
  const { cves, fixedIn } = flawsOf(serverVersion);
  if (cves.length === 0) return [];
  const cure = fixedIn === undefined ? 'Update to a supported version.' : `Update to ${fixedIn}.`;
  const message = `Policies of this version can be passed: ${cves.join(', ')}.`;
  return [warning('SERVER_VERSION', String(serverVersion), message, cure)];
}
