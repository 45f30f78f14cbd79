import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { typesOf } from './json-schema.js';
import { mapSubschemas } from './subschemas.js';

/**
 * Gives every list a schema as `items`, because clients such as Copilot reject a tool with a list
 * without `items`. A missing `items` becomes `{}`, which accepts any item. `items: false` becomes
 * `maxItems`. Its value is the number of schemas in `prefixItems`.
 */
export function withListItems(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, withListItems);
  const { items, prefixItems, maxItems } = inside;
  const isList = typesOf(inside).includes('array') && !isObject(items) && !Array.isArray(items);
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
