import type { PanelSchema } from '@fledge/core/packages';

/** A top-level parameter of a tool. */
export interface Parameter {
  readonly name: string;
  readonly schema: PanelSchema;
  /** The schema with a `$ref` replaced by its target. */
  readonly resolved: PanelSchema;
  readonly described: boolean;
}

/** Returns the parameters of an input schema. */
export function parametersOf(inputSchema: PanelSchema): Parameter[] {
  const properties = inputSchema['properties'];
  if (!isSchema(properties)) return [];
  return Object.entries(properties).map(([name, given]) => {
    const schema = isSchema(given) ? given : {};
    const resolved = resolve(schema, inputSchema);
    const description = schema['description'] ?? resolved['description'];
    return {
      name,
      schema,
      resolved,
      described: typeof description === 'string' && description.trim() !== '',
    };
  });
}

function isSchema(value: unknown): value is PanelSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Follows local `$ref`s. The number of steps is limited, because references may be circular. */
function resolve(schema: PanelSchema, root: PanelSchema): PanelSchema {
  let current = schema;
  for (let i = 0; i < 10 && typeof current['$ref'] === 'string'; i++) {
    const found = pointed(current['$ref'], root);
    if (found === undefined) break;
    current = found;
  }
  return current;
}

function pointed(ref: string, root: PanelSchema): PanelSchema | undefined {
  if (!ref.startsWith('#/')) return undefined;
  const parts = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let found: unknown = root;
  for (const part of parts) {
    if (!isSchema(found) || !Object.hasOwn(found, part)) return undefined;
    found = found[part];
  }
  return isSchema(found) ? found : undefined;
}
