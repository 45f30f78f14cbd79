import { RlsNameError } from './rls.errors.js';

/** NAMEDATALEN - 1. PostgreSQL truncates longer names, so two tenants could have the same name. */
const MAX_BYTES = 63;

/**
 * @param what the kind of name for error messages, such as `table`
 * @throws RlsNameError
 */
export function quoteIdentifier(name: string, what: string): string {
  if (name === '' || Buffer.byteLength(name) > MAX_BYTES) {
    throw new RlsNameError(what, name, `A name must have 1 to ${MAX_BYTES} bytes`);
  }
  // oxlint-disable-next-line no-control-regex -- control characters are rejected
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    throw new RlsNameError(what, name, 'A name must not contain control characters');
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export interface TableName {
  readonly schema: string | undefined;
  readonly table: string;
}

/** Splits `table` or `schema.table`. @throws RlsNameError */
export function parseTableName(name: string): TableName {
  const parts = name.split('.');
  if (parts.length > 2) throw new RlsNameError('table', name, "Pass 'table' or 'schema.table'");
  const [table, schema] = parts.reverse() as [string, string?];
  quoteIdentifier(table, 'table');
  if (schema !== undefined) quoteIdentifier(schema, 'schema');
  return { schema, table };
}

export function quoteTable({ schema, table }: TableName): string {
  const name = quoteIdentifier(table, 'table');
  return schema === undefined ? name : `${quoteIdentifier(schema, 'schema')}.${name}`;
}

/** Policies contain this name without quotes. @throws RlsNameError */
export function checkSettingName(name: string): string {
  if (/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)+$/i.test(name)) return name;
  const rule = "Pass two words with a dot between them, such as 'app.tenant_id'";
  throw new RlsNameError('setting', name, rule);
}

/**
 * Casts to these types ignore case or trailing spaces, truncate, or round. Some have two texts for
 * one value: `1` and `1.0`.
 */
const LOSSY_TYPES =
  /^(citext|bool|boolean|(national )?char(acter)?|nchar|bpchar|name|bit|real|float[48]?|double precision|money|numeric|decimal|interval|jsonb)$/i;

/** Returns true if two different ids may be equal after a cast to the type. */
export function isLossyType(name: string): boolean {
  return LOSSY_TYPES.test(name) || name.includes('(');
}

/** Policies contain this name without quotes. @throws RlsNameError */
export function checkTypeName(name: string): string {
  const types = "'text', 'character varying', 'uuid' or 'bigint'";
  if (isLossyType(name)) {
    const rule = `A cast to this type could make two tenants equal. Pass ${types}, without a length`;
    throw new RlsNameError('type', name, rule);
  }
  if (/^[a-z_][a-z0-9_]*( [a-z]+)*$/i.test(name)) return name;
  throw new RlsNameError('type', name, `Pass a type such as ${types}`);
}

/** @throws RlsNameError if a name has a special meaning in PostgreSQL */
export function buildSearchPath(schemas: readonly string[]): string {
  return schemas
    .map((schema) => {
      // "$user" is a placeholder and pg_temp is the temporary schema, even in quotes.
      if (/^(\$user$|pg_|information_schema$)/.test(schema)) {
        throw new RlsNameError('schema', schema, 'PostgreSQL reserves this name');
      }
      return quoteIdentifier(schema, 'schema');
    })
    .join(', ');
}

/**
 * Quotes a string as an SQL literal. Escapes all ASCII characters except letters, digits and `_`.
 * ORMs treat `?` and `$1` as parameters even in quotes.
 */
export function quoteText(text: string): string {
  const safe = text.replace(
    // oxlint-disable-next-line no-control-regex -- all of ASCII but word characters
    /[\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `E'${safe}'`;
}

export function quoteSetting(name: string): string {
  return name
    .split('.')
    .map((word) => quoteIdentifier(word, 'setting'))
    .join('.');
}

export const TENANT_SETTING = 'app.tenant_id';
