import { error, warning } from '../../finding.js';
import { quoteIdentifier, quoteTable } from '../sql-names.js';
import type { PolicyFacts, TableFacts } from './catalog.js';
import { type AuditedNames, classifyCondition } from './policy-condition.js';
import { rlsSqlFor, subjectOf } from './finding-subject.js';
import type { RlsFinding, RlsFindingCode } from './rls-finding.js';

/** Returns true if a policy may allow rows of other tenants. Shared rows do not count. */
export function isOpenPolicy(policy: PolicyFacts, names: AuditedNames): boolean {
  const conditions = [policy.using, policy.check].filter((condition) => condition !== null);
  return policy.permissive && conditions.some((condition) => isOpen(condition, names));
}

export function auditPolicies(
  table: TableFacts,
  all: readonly PolicyFacts[],
  names: AuditedNames,
): RlsFinding[] {
  const own = all.filter((policy) => subjectOf(policy) === subjectOf(table));
  // Restrictive policies only remove rows.
  const permissive = own.filter((policy) => policy.permissive);
  if (permissive.length === 0) {
    const message = 'The table has no policy that allows the role to see rows.';
    return [error('NO_POLICY', subjectOf(table), message, rlsSqlFor(table))];
  }
  return permissive.flatMap((policy) => {
    const drop = `DROP POLICY ${quoteIdentifier(policy.name, 'policy')} ON ${quoteTable(table)};`;
    const subject = subjectOf(table, policy.name);
    // USING and WITH CHECK may have the same condition. The finding is then reported once.
    const byCode = new Map<RlsFindingCode, RlsFinding>();
    for (const { code, message, severity = error } of weaknessesOf(policy, names)) {
      if (byCode.has(code)) continue;
      byCode.set(code, severity(code, subject, message, `${drop} ${rlsSqlFor(table)}`));
    }
    return [...byCode.values()];
  });
}

interface Weakness {
  readonly code: RlsFindingCode;
  readonly message: string;
  /** @default error */
  readonly severity?: typeof error;
}

function* weaknessesOf(policy: PolicyFacts, names: AuditedNames): Generator<Weakness> {
  const { column, setting } = names;
  if (policy.command !== '*') {
    const command = COMMANDS[policy.command] ?? policy.command;
    const message = `The policy applies only to ${command}. Use one policy FOR ALL commands.`;
    yield { code: 'POLICY_SPLIT', message };
  }
  const clauses = [
    ['USING', policy.using, 'POLICY_WITHOUT_TENANT'],
    ['WITH CHECK', policy.check, 'POLICY_CHECK_OPEN'],
  ] as const;
  for (const [clause, condition, code] of clauses) {
    const kind = condition === null ? 'tenant' : classifyCondition(condition, names);
    const text = `The condition ${clause} ${condition}`;
    if (kind === 'without') {
      yield { code, message: `${text} does not compare \`${column}\` with \`${setting}\`.` };
    }
    if (kind === 'unrecognized') {
      const message = `${text} may allow more rows than ${column} = ${setting} does.`;
      yield { code: 'POLICY_UNRECOGNIZED', message };
    }
    if (kind === 'widened') {
      const message = `${text} also allows rows that do not belong to the tenant. Check these rows.`;
      yield { code: 'POLICY_WIDENED', message, severity: warning };
    }
  }
}

function isOpen(condition: string, names: AuditedNames): boolean {
  const kind = classifyCondition(condition, names);
  return kind === 'without' || kind === 'unrecognized';
}

const COMMANDS: Readonly<Record<string, string>> = {
  r: 'SELECT',
  a: 'INSERT',
  w: 'UPDATE',
  d: 'DELETE',
};
