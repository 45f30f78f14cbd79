import { TenantUnguardedError } from '../tenant.errors.js';

/**
 * Matches parentheses, and tokens that may hide a parenthesis. Databases parse `\'`, `/*!`, nested
 * comments and `$$` in different ways. SQL with such a token does not count as closed. The same is
 * true if a comment runs to the end of the line. `#>` and `#-` are operators of PostgreSQL.
 */
const TOKENS =
  /(?<quoted>'(?:[^'\\]|\\\\|\\[^'\\])*'|"(?:[^"\\]|\\\\|\\[^"\\])*"|`[^`]*`|\/\*(?![!M])(?:(?!\/\*|\*\/)[^])*\*\/)|(?<open>\()|(?<close>\))|(?<unclear>['"`;]|\/\*|\*\/|--|#(?![>-])|(?<![\w$])\$\w*\$)/g;

/**
 * Returns true if SQL cannot close parentheses that surround the SQL, and cannot hide text that
 * follows the SQL.
 */
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

/** @throws TenantUnguardedError if the SQL could close parentheses that surround the SQL */
export function checkClosed(sql: string): void {
  if (isClosed(sql)) return;
  throw new TenantUnguardedError(
    `The raw SQL "${sql.trim()}"`,
    'the SQL could end the condition that filters by tenant',
    'Close all parentheses and quotes in the SQL, and remove semicolons and line comments',
  );
}

/** Matches whole words and ignores case. Also matches `U&"not\0065"`, which can be any name. */
export function compileTablePattern(table: string): RegExp {
  return new RegExp(`(?<![\\w$])(${escapedForPattern(table)}(?![\\w$])|U&")`, 'i');
}

export function escapedForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
