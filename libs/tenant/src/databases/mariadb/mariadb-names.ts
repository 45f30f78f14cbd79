import { TenantOptionError } from '../../tenant.errors.js';

/** MariaDB's limit for names. */
const MAX_LENGTH = 64;

/**
 * Quotes a name for SQL.
 * @param what kind of name, for errors, such as `table`
 * @throws TenantOptionError
 */
export function quoteMariadbName(name: string, what: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are refused
  if (name.length > MAX_LENGTH || /^$|[\u0000-\u001f\u007f]| $/.test(name)) {
    throw new TenantOptionError(
      `${JSON.stringify(name)} cannot be the name of a ${what} in MariaDB: it needs 1 to ${MAX_LENGTH} characters, ` +
        `without control characters or a space at the end.`,
    );
  }
  return `\`${name.replaceAll('`', '``')}\``;
}

/** A text as SQL. In hexadecimal it means the same under each `sql_mode`. */
export function quoteMariadbText(text: string): string {
  return `_utf8mb4 X'${Buffer.from(text, 'utf8').toString('hex')}'`;
}
