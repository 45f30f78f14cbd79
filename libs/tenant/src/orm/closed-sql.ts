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
