import { quoted, quotedTable } from '../sql-names.js';
import type { PolicyFacts, TableFacts } from './catalog.js';
import { error, rlsSqlFor, subjectOf, warning } from './finding-of.js';
import type { RlsFinding, RlsFindingCode } from './rls-finding.js';

/** What a policy has to compare. */
export interface AuditedNames {
  readonly column: string;
  readonly setting: string;
}

/** What is wrong with the policies of a table. */
export function policyFindingsOf(
  table: TableFacts,
  all: readonly PolicyFacts[],
  { column, setting }: AuditedNames,
): RlsFinding[] {
  const own = all.filter((policy) => subjectOf(policy) === subjectOf(table));
  // Restrictive policies only take away.
  const permissive = own.filter((policy) => policy.permissive);
  if (permissive.length === 0) {
    const message = 'No policy lets the role see a row.';
    return [error('NO_POLICY', subjectOf(table), message, rlsSqlFor(table))];
  }
  const tells = (condition: string | null) =>
    condition === null ||
    (condition.includes(`current_setting('${setting}'`) && namesColumn(condition, column));

  return permissive.flatMap((policy) => {
    const found: RlsFinding[] = [];
    const add = (code: RlsFindingCode, message: string, severity = error) => {
      const drop = `DROP POLICY ${quoted(policy.name, 'policy')} ON ${quotedTable(table)};`;
      const subject = subjectOf(table, policy.name);
      found.push(severity(code, subject, message, `${drop} ${rlsSqlFor(table)}`));
    };
    if (policy.command !== '*') {
      const command = COMMANDS[policy.command] ?? policy.command;
      add('POLICY_SPLIT', `The policy holds FOR ${command} only; one FOR ALL leaves no gap.`);
    }
    if (!tells(policy.using)) {
      add('POLICY_WITHOUT_TENANT', `USING ${policy.using} compares no ${column} with ${setting}.`);
    }
    if (!tells(policy.check)) {
      add('POLICY_CHECK_OPEN', `WITH CHECK ${policy.check} compares no ${column} with ${setting}.`);
    }
    if (/\sOR\s/.test(`${policy.using} ${policy.check}`)) {
      add(
        'POLICY_WIDENED',
        'The policy joins conditions by OR: see what else it lets in.',
        warning,
      );
    }
    return found;
  });
}

/** Whether an expression, as PostgreSQL prints it, names the column. */
function namesColumn(condition: string, column: string): boolean {
  const code = condition.replace(/'(?:[^']|'')*'/g, '');
  const words: readonly string[] = code.match(/"(?:[^"]|"")*"|[\w$]+/g) ?? [];
  return words.includes(column) || words.includes(quoted(column, 'column'));
}

const COMMANDS: Readonly<Record<string, string>> = {
  r: 'SELECT',
  a: 'INSERT',
  w: 'UPDATE',
  d: 'DELETE',
};
