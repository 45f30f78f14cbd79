import { error } from '../finding.js';
import type { AuditedDatabases, MariadbFinding, MariadbQuery } from './grant-findings.js';
import {
  GUARDED_EVENTS,
  quoteMariadbName,
  refusalOfOtherTenants,
  textOfColumn,
  TRIGGER_VIEW,
} from './mariadb-sql.js';

/**
 * Returns a finding for each view whose table lacks a trigger of `mariadbSql()`.
 *
 * @param views the names of the views that `mariadbSql()` created
 */
export async function auditTriggers(
  query: MariadbQuery,
  views: readonly string[],
  { viewsIn, column }: AuditedDatabases & { readonly column: string },
): Promise<MariadbFinding[]> {
  if (views.length === 0) return [];
  const from = `${quoteMariadbName(viewsIn, 'database')}.${quoteMariadbName(TRIGGER_VIEW, 'table')}`;
  // The view does not exist if an older version of this package created the views.
  const rows = await query(`select name, event, timing, body from ${from}`).catch(() => []);
  const old = `old.${quoteMariadbName(column, 'column')}`;
  // Older versions of this package compared the column without a conversion.
  const bodies: unknown[] = [textOfColumn(old), old].map(refusalOfOtherTenants);
  const found = new Set(
    rows
      .filter((row) => row['timing'] === 'BEFORE' && bodies.includes(row['body']))
      .map(({ name, event }) => `${String(event)} ${String(name)}`),
  );
  return views.flatMap((name) => {
    const missing = GUARDED_EVENTS.map(([event]) => event).filter(
      (event) => !found.has(`${event} ${name}`),
    );
    return missing.length === 0 ? [] : [missingTrigger(`${viewsIn}.${name}`, name, missing)];
  });
}

function missingTrigger(subject: string, name: string, events: readonly string[]): MariadbFinding {
  const message =
    `The table lacks the trigger BEFORE ${events.join(' and BEFORE ')} of mariadbSql(), or the ` +
    `account cannot read the view ${TRIGGER_VIEW}. Without the trigger, REPLACE and ON DUPLICATE ` +
    `KEY UPDATE overwrite rows of other tenants.`;
  const cure =
    `Run the statements of mariadbSql(['${name}'], ...) as the owner of the table. Without ` +
    `grantTo, also GRANT SELECT, SHOW VIEW ON ${TRIGGER_VIEW} to the account.`;
  return error('TRIGGER_MISSING', subject, message, cure);
}
