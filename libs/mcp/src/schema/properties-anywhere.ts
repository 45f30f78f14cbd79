import type { JsonSchema } from '../decorators/tool.metadata.js';
import { isRecord } from './json-schema.js';

const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/**
 * The properties an object may have by any branch of its schema (`allOf`, `oneOf`, `then` ...), each
 * with the different schemas it has there.
 */
export function propertiesAnywhere(
  schema: JsonSchema,
  resolve: (ref: string) => unknown,
): ReadonlyMap<string, readonly JsonSchema[]> {
  const found = new Map<string, JsonSchema[]>();
  const seen = new Set<JsonSchema>();
  const open: JsonSchema[] = [schema];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const properties = next['properties'];
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
      const known = found.get(name) ?? [];
      const added = isRecord(property) ? property : {};
      const isNew = known.every((other) => JSON.stringify(other) !== JSON.stringify(added));
      found.set(name, isNew ? [...known, added] : known);
    }
    open.push(...branchesOf(next, resolve));
  }
  return found;
}

function branchesOf(schema: JsonSchema, resolve: (ref: string) => unknown): readonly JsonSchema[] {
  const branches = BRANCHES.flatMap((keyword): unknown[] => {
    const branch: unknown = schema[keyword];
    return Array.isArray(branch) ? (branch as unknown[]) : [branch];
  });
  const dependent = schema['dependentSchemas'];
  if (isRecord(dependent)) branches.push(...Object.values(dependent));
  if (typeof schema['$ref'] === 'string') branches.push(resolve(schema['$ref']));
  return branches.filter(isRecord);
}
