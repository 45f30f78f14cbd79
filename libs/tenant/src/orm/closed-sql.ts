import { TenantUnguardedError } from '../tenant.errors.js';

/**
 * Tokens in which SQL may hide a parenthesis, and parentheses. Databases read `\'`, `/*!`, nested comments and `$$`
 * in different ways, so a fragment with one of these is not closed, nor is one with a comment to the end of the line.
 * `#>` and `#-` are operators of PostgreSQL.
 */
const TOKENS =
  /(?<quoted>'(?:[^'\\]|\\\\|\\[^'\\])*'|"(?:[^"\\]|\\\\|\\[^"\\])*"|`[^`]*`|\/\*(?![!M])(?:(?!\/\*|\*\/)[^])*\*\/)|(?<open>\()|(?<close>\))|(?<unclear>['"`;]|\/\*|\*\/|--|#(?![>-])|(?<![\w$])\$\w*\$)/g;

/** True if a fragment of SQL cannot end the parenthesis that stands around it, nor hide the text behind it. */
export function isClosed(sql: string): boolean {
  let depth = 0;
  for (const { groups } of sql.matchAll(TOKENS)) {
    if (groups?.['unclear'] !== undefined) return false;
    if (groups?.['open'] !== undefined) depth += 1;
    if (groups?.['close'] !== undefined) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** @throws TenantUnguardedError for a fragment of SQL that could end the parenthesis around it */
export function checkClosed(sql: string): void {
  if (isClosed(sql)) return;
  throw new TenantUnguardedError(
    `The raw SQL ${sql.trim()}`,
    'it could end the condition on the tenant',
    'Close its parentheses and quotes, and leave out ; and comments to the end of the line',
  );
}

/** Finds a table in SQL, as a word in upper or lower case. */
export function compileTablePattern(table: string): RegExp {
  const escaped = table.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, 'i');
}
