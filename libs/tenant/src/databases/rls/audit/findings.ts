import type { CatalogFacts } from './catalog.js';
import { policyFindingsOf } from './policy-findings.js';
import { roleFindingsOf } from './role-findings.js';
import type { RlsFinding } from './rls-finding.js';
import {
  indexFindingsOf,
  keyFindingsOf,
  sequenceFindingsOf,
  tableFindingsOf,
} from './table-findings.js';
import type { AuditedNames } from './policy-condition.js';
import { ownerRightsFindingsOf } from './owner-rights-findings.js';

/** All findings about a database. */
export function findingsOf(facts: CatalogFacts, names: AuditedNames): RlsFinding[] {
  const { tables, policies, session } = facts;
  const secured = tables.filter(({ enabled, foreign }) => enabled && !foreign);
  return [
    ...roleFindingsOf(facts),
    ...tables.flatMap((table) => tableFindingsOf(table, session.role, names.column)),
    ...secured.flatMap((table) => policyFindingsOf(table, policies, names)),
    ...ownerRightsFindingsOf(facts),
    ...keyFindingsOf(facts, names.column),
    ...indexFindingsOf(facts, names.column),
    ...sequenceFindingsOf(facts),
  ];
}
