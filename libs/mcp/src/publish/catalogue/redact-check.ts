import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { ToolSchemaError } from '../../mcp.errors.js';
import { SecretSchemas } from '../schema/secret-schemas.js';
import type { Operation } from './operation.js';

/**
 * Checks the names in `redact`, because a misspelled name would leave a secret in call records.
 * @param option the option that contains the names, for the error message
 * @throws ToolSchemaError if a name is not an argument, or not a property of an argument
 */
export function assertRedacted(
  { route, input }: Pick<Operation, 'route' | 'input'>,
  redact: readonly string[],
  option: string,
): void {
  const known = input.places.map(({ argument }) => argument);
  for (const path of redact) {
    const [argument = '', ...below] = path.split('.');
    if (known.includes(argument)) {
      const fault = faultBelow(input.accepted ?? input.schema, argument, below);
      if (fault) throw new ToolSchemaError(route.label, `${option} contains "${path}", ${fault}.`);
    } else if (input.rest === undefined) {
      throw new ToolSchemaError(
        route.label,
        `${option} contains the argument "${path}", which does not exist. The arguments are: ` +
          `${known.join(', ') || 'none'}.`,
      );
    }
  }
}

/**
 * Returns the fault of a path, or undefined if the schema may allow the path. A schema that lists
 * properties allows others only if it says so.
 */
function faultBelow(
  root: JsonSchema,
  argument: string,
  below: readonly string[],
): string | undefined {
  const document = new SecretSchemas(root);
  let schemas = document.member(document.expanded([root]), argument);
  let place = argument;
  for (const name of below) {
    const here = withItems(document, schemas);
    const known = here.flatMap(({ properties }) =>
      isObject(properties) ? Object.keys(properties) : [],
    );
    schemas = document.member(here, name);
    if (known.length === 0 || (schemas.length === 0 && here.some(isOpen))) return undefined;
    if (schemas.length === 0) {
      return `but "${place}" has only these properties: ${[...new Set(known)].join(', ')}`;
    }
    place = `${place}.${name}`;
  }
  return undefined;
}

/** Returns the schemas and the schemas of their items, because a path applies to each item. */
function withItems(document: SecretSchemas, schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const found = document.expanded(schemas);
  const all = document.expanded([...found, ...document.items(found)]);
  return all.length === found.length ? found : withItems(document, all);
}

function isOpen(schema: JsonSchema): boolean {
  return [schema['additionalProperties'], schema['unevaluatedProperties']].some(
    (rest) => rest === true || isObject(rest),
  );
}
