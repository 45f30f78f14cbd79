import type { CheckedServer, CheckedTool, CheckPlace, Rule, Schema } from './checked-server.js';

/** A property at any depth of a schema. */
export interface Property {
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keywords whose value is an object that contains schemas, except `properties`. */
const MAPS = ['patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS = [
  ...['items', 'prefixItems', 'additionalProperties', 'contains', 'propertyNames'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
];

/** Lists the properties of a schema at any depth. The schema `true` has no keywords. */
export function propertiesIn(schema: Schema, path = ''): readonly Property[] {
  const { properties } = schema;
  const own = isSchema(properties) ? Object.entries(properties) : [];
  return [
    ...own.flatMap(([name, given]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const property = isSchema(given) ? given : {};
      return [{ path: at, name, schema: property }, ...propertiesIn(property, at)];
    }),
    ...partsOf(schema).flatMap((part) => propertiesIn(part, path)),
  ];
}

/** Lists the values of a keyword, at any depth. */
export function valuesIn(schema: Schema, keyword: string): readonly unknown[] {
  const { properties } = schema;
  const inner = isSchema(properties) ? Object.values(properties).filter(isSchema) : [];
  return [
    ...(schema[keyword] === undefined ? [] : [schema[keyword]]),
    ...[...inner, ...partsOf(schema)].flatMap((part) => valuesIn(part, keyword)),
  ];
}

/** Lists the direct subschemas of a schema, except its properties. */
function partsOf(schema: Schema): readonly Schema[] {
  const inMaps = MAPS.flatMap((keyword) => {
    const map = schema[keyword];
    return isSchema(map) ? Object.values(map) : [];
  });
  return [...inMaps, ...SCHEMAS.flatMap((keyword) => schema[keyword])].filter(isSchema);
}

/**
 * Returns the function `find` of a rule about single properties.
 * @param factOf returns true or a detail if a property breaks the rule, else false
 */
export function inProperties(
  factOf: (property: Property, tool: CheckedTool) => string | boolean,
): Rule['find'] {
  return ({ tools }: CheckedServer): readonly CheckPlace[] =>
    tools.flatMap((tool) =>
      propertiesIn(tool.inputSchema).flatMap((property) => {
        const fact = factOf(property, tool);
        if (fact === false || fact === '') return [];
        return {
          tool: tool.name,
          parameter: property.path,
          ...(typeof fact === 'string' && { detail: fact }),
        };
      }),
    );
}

/** Lists the types that a schema allows, without null. */
export function typesOf({ type }: Schema): readonly unknown[] {
  return (Array.isArray(type) ? (type as unknown[]) : [type]).filter(
    (each) => each !== undefined && each !== 'null',
  );
}
