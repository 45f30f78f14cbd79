import { quoted, quotedTable } from '../sql-names.js';
import type { PolicyFacts, TableFacts } from './catalog.js';
import { error, rlsSqlFor, subjectOf, warning } from './finding-of.js';
import type { RlsFinding, RlsFindingCode } from './rls-finding.js';
import { type AuditedNames, conditionKindOf } from './tenant-condition.js';

/** True if a policy may allow rows of other tenants. Ignores what an OR adds. */
export function isOpenPolicy(policy: PolicyFacts, names: AuditedNames): boolean {
  const conditions = [policy.using, policy.check].filter((condition) => condition !== null);
  return policy.permissive && conditions.some((condition) => isOpen(condition, names));
}

/** Findings about the policies of a table. */
export function policyFindingsOf(
  table: TableFacts,
  all: readonly PolicyFacts[],
  names: AuditedNames,
): RlsFinding[] {
  const own = all.filter((policy) => subjectOf(policy) === subjectOf(table));
  // Restrictive policies only remove rows.
  const permissive = own.filter((policy) => policy.permissive);
  if (permissive.length === 0) {
    const message = 'No policy lets the role see a row.';
    return [error('NO_POLICY', subjectOf(table), message, rlsSqlFor(table))];
  }
  const { column, setting } = names;
  return permissive.flatMap((policy) => {
    const found: RlsFinding[] = [];
    const add = (code: RlsFindingCode, message: string, severity = error) => {
      // USING and WITH CHECK often have one condition.
      if (found.some((finding) => finding.code === code)) return;
      const drop = `DROP POLICY ${quoted(policy.name, 'policy')} ON ${quotedTable(table)};`;
      const subject = subjectOf(table, policy.name);
      found.push(severity(code, subject, message, `${drop} ${rlsSqlFor(table)}`));
    };
    if (policy.command !== '*') {
      const command = COMMANDS[policy.command] ?? policy.command;
      add(
        'POLICY_SPLIT',
        `The policy applies FOR ${command} only. Use one policy FOR ALL, which leaves no gap.`,
      );
    }
    const clauses = [
      ['USING', policy.using, 'POLICY_WITHOUT_TENANT'],
      ['WITH CHECK', policy.check, 'POLICY_CHECK_OPEN'],
    ] as const;
    for (const [clause, condition, code] of clauses) {
      const kind = condition === null ? 'tenant' : conditionKindOf(condition, names);
      const text = `${clause} ${condition}`;
      if (kind === 'without') add(code, `${text} does not compare ${column} with ${setting}.`);
      if (kind === 'unrecognized') {
        add('POLICY_UNRECOGNIZED', `${text} may allow more than ${column} = ${setting}.`);
      }
      if (kind === 'widened') {
        const message = `${text} joins conditions with OR. Check what else it allows.`;
        add('POLICY_WIDENED', message, warning);
      }
    }
    return found;
  });
}

function isOpen(condition: string, names: AuditedNames): boolean {
  const kind = conditionKindOf(condition, names);
  return kind === 'without' || kind === 'unrecognized';
}

const COMMANDS: Readonly<Record<string, string>> = {
  r: 'SELECT',
  a: 'INSERT',
  w: 'UPDATE',
  d: 'DELETE',
};
