import type { JsonSchema } from '../decorators/author-schema.js';
import { isRecord, typesOf } from './json-schema.js';
import { mapSubschemas } from './subschemas.js';

/**
 * Gives each list a schema as its `items`: clients such as Copilot reject a tool that has a list without. `{}` accepts
 * any item, and `false` becomes the number of items before it.
 */
export function withListItems(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, withListItems);
  const { items, prefixItems, maxItems } = inside;
  const isList = typesOf(inside).includes('array') && !isRecord(items) && !Array.isArray(items);
  if (!isList) return inside;
  const most = Array.isArray(prefixItems) ? prefixItems.length : 0;
  return {
    ...inside,
    items: {},
    ...(items === false && {
      maxItems: typeof maxItems === 'number' ? Math.min(maxItems, most) : most,
    }),
  };
}
