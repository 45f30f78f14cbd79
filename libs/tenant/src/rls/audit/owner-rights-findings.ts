import { quoted, quotedTable } from '../sql-names.js';
import type { CatalogFacts, FunctionFacts, RuleFacts, ViewFacts } from './catalog.js';
import { error, subjectOf, warning } from './finding-of.js';
import type { RlsFinding } from './rls-finding.js';

/** What works in the name of its owner, and shows the role rows past the policies. */
export function ownerRightsFindingsOf({ views, rules, functions }: CatalogFacts): RlsFinding[] {
  return [...views.map(ofView), ...rules.map(ofRule), ...functions.map(ofFunction)];
}

function ofView(view: ViewFacts): RlsFinding {
  const subject = subjectOf(view);
  if (view.materialized) {
    const message = 'A materialized view holds rows of tenants, and no policy can hold for it.';
    const cure = `Take the role's privileges on ${quotedTable(view)} away.`;
    return error('MATERIALIZED_VIEW', subject, message, cure);
  }
  return error(
    'VIEW_WITHOUT_SECURITY_INVOKER',
    subject,
    'The view reads in the name of its owner, whom policies show rows of all tenants.',
    `ALTER VIEW ${quotedTable(view)} SET (security_invoker = on); before PostgreSQL 15, ` +
      `give the view to a role for which policies hold.`,
  );
}

function ofRule(rule: RuleFacts): RlsFinding {
  const message = rule.escapes
    ? 'The rule works in the name of the owner of its table, whom policies show rows of all tenants.'
    : 'The rule works in the name of the owner of its table: see what it reads and writes.';
  const cure = `DROP RULE ${quoted(rule.name, 'rule')} ON ${quotedTable(rule)}; use a trigger instead.`;
  return (rule.escapes ? error : warning)('RULE', subjectOf(rule, rule.name), message, cure);
}

function ofFunction({ name, owner, reads }: FunctionFacts): RlsFinding {
  const works = `The function works in the name of ${owner}, whom policies show rows of all tenants`;
  const message =
    reads === null ? `${works}: see what it reads.` : `${works}, and its body names ${reads}.`;
  const cure = `ALTER FUNCTION ${name} SECURITY INVOKER; or give it to a role for which policies hold.`;
  return (reads === null ? warning : error)('SECURITY_DEFINER', name, message, cure);
}
