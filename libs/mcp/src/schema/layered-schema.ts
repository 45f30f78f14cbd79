import type { JsonSchema } from '../decorators/tool.metadata.js';
import { isRecord, typesOf, without } from './json-schema.js';

/** `over` on top of `under`: what `over` says replaces, items are layered in their turn. */
export function layered(under: JsonSchema, over: JsonSchema): JsonSchema {
  const { items: itemsUnder, ...rest } = under;
  const itemsOver = over['items'];
  const items =
    isRecord(itemsUnder) && isRecord(itemsOver)
      ? layered(itemsUnder, itemsOver)
      : (itemsOver ?? itemsUnder);
  const both: JsonSchema = { ...rest, ...over, ...(items === undefined ? {} : { items }) };
  return settled(both, over);
}

/** Keeps a reference and a type from contradicting each other; the upper layer's word stays. */
function settled(both: JsonSchema, over: JsonSchema): JsonSchema {
  if (both['$ref'] === undefined) {
    if (typesOf(both).includes('array') || both['items'] === undefined) return both;
    return both['type'] === undefined ? both : without(both, 'items');
  }
  if (over['type'] !== undefined && over['type'] !== 'object' && over['$ref'] === undefined) {
    return without(both, '$ref');
  }
  return without(both, 'type', 'items');
}
