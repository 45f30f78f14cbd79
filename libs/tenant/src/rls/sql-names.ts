import { RlsNameError } from './rls.errors.js';

/** In bytes; PostgreSQL cuts off the rest, and two tenants become one (NAMEDATALEN - 1). */
const MAX_BYTES = 63;

/**
 * A name as SQL has it: in double quotes, so that it is nothing but a name.
 * @param what such as `table`
 * @throws RlsNameError
 */
export function quoted(name: string, what: string): string {
  if (name === '' || Buffer.byteLength(name) > MAX_BYTES) {
    throw new RlsNameError(what, name, `it needs 1 to ${MAX_BYTES} bytes`);
  }
  // eslint-disable-next-line no-control-regex -- those are meant
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    throw new RlsNameError(what, name, 'it has control characters');
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export interface TableName {
  readonly schema: string | undefined;
  readonly table: string;
}

/**
 * The parts of `table` or `schema.table`.
 * @throws RlsNameError
 */
export function tableNameOf(name: string): TableName {
  const parts = name.split('.');
  if (parts.length > 2) throw new RlsNameError('table', name, "write 'table' or 'schema.table'");
  const [table, schema] = parts.reverse() as [string, string?];
  quoted(table, 'table');
  if (schema !== undefined) quoted(schema, 'schema');
  return { schema, table };
}

/** As SQL has it. */
export function quotedTable({ schema, table }: TableName): string {
  const name = quoted(table, 'table');
  return schema === undefined ? name : `${quoted(schema, 'schema')}.${name}`;
}

/**
 * The name of a setting, which stands in the text of policies.
 * @throws RlsNameError
 */
export function settingNameOf(name: string): string {
  if (/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)+$/i.test(name)) return name;
  throw new RlsNameError('setting', name, "write two words with a dot between, as 'app.tenant_id'");
}

/**
 * The name of a type, which stands in the text of policies.
 * @throws RlsNameError
 */
export function typeNameOf(name: string): string {
  if (/^[a-z_][a-z0-9_]*( [a-z]+)*(\(\d+\))?$/i.test(name)) return name;
  throw new RlsNameError('type', name, "write it as 'uuid', 'bigint' or 'character varying'");
}

/**
 * A search path of those schemas and of no other.
 * @throws RlsNameError for one that PostgreSQL would take for something else than a tenant's
 */
export function searchPathOf(schemas: readonly string[]): string {
  return schemas
    .map((schema) => {
      // Even in quotes, "$user" is a placeholder and pg_temp a schema of each session.
      if (/^(\$user$|pg_|information_schema$)/.test(schema)) {
        throw new RlsNameError('schema', schema, 'PostgreSQL keeps it for itself');
      }
      return quoted(schema, 'schema');
    })
    .join(', ');
}

/**
 * A text as SQL has it. Only letters, digits and `_` stand in it as they are: ORMs take `?` and `$1` for
 * parameters, also inside quotes.
 */
export function literal(text: string): string {
  const safe = text.replace(
    // eslint-disable-next-line no-control-regex -- all of ASCII but words
    /[\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `E'${safe}'`;
}

/** The name of a setting, each of its words in double quotes. */
export function quotedSetting(name: string): string {
  return name
    .split('.')
    .map((word) => quoted(word, 'setting'))
    .join('.');
}
