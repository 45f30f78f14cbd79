import { error, warning } from '../../finding.js';
import { quoteIdentifier, quoteTable } from '../sql-names.js';
import type { CatalogFacts, FunctionFacts, RuleFacts, ViewFacts } from './catalog.js';
import { subjectOf } from './finding-subject.js';
import type { RlsFinding } from './rls-finding.js';

/** Views, rules and functions run with the privileges of their owner. */
export function auditOwnerRights({ views, rules, functions }: CatalogFacts): RlsFinding[] {
  return [...views.map(ofView), ...rules.map(ofRule), ...functions.map(ofFunction)];
}

function ofView(view: ViewFacts): RlsFinding {
  const subject = subjectOf(view);
  if (view.materialized) {
    const message = 'The materialized view stores rows of tenants, but cannot have policies.';
    const cure = `Revoke the role's privileges on ${quoteTable(view)}.`;
    return error('MATERIALIZED_VIEW', subject, message, cure);
  }
  return error(
    'VIEW_WITHOUT_SECURITY_INVOKER',
    subject,
    'The view runs with the privileges of its owner, who can see rows of all tenants.',
    `ALTER VIEW ${quoteTable(view)} SET (security_invoker = on); before PostgreSQL 15, ` +
      `change the owner of the view to a role that policies apply to.`,
  );
}

function ofRule(rule: RuleFacts): RlsFinding {
  const message = rule.escapes
    ? 'The rule runs with the privileges of the table owner, who can see rows of all tenants.'
    : 'The rule runs with the privileges of the table owner. Check what the rule reads and writes.';
  const cure = `DROP RULE ${quoteIdentifier(rule.name, 'rule')} ON ${quoteTable(rule)}; use a trigger instead.`;
  return (rule.escapes ? error : warning)('RULE', subjectOf(rule, rule.name), message, cure);
}

function ofFunction({ name, owner, reads }: FunctionFacts): RlsFinding {
  const rights = `The function runs as ${owner}, who can see rows of all tenants.`;
  const message =
    reads === null
      ? `${rights} Check what the function reads.`
      : `${rights} The body of the function contains ${reads}.`;
  const cure =
    `ALTER FUNCTION ${name} SECURITY INVOKER; or change the owner of the function to a role that ` +
    `policies apply to.`;
  return (reads === null ? warning : error)('SECURITY_DEFINER', name, message, cure);
}
