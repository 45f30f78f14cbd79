import type { QueryFieldConfig } from './field-config.js';

/**
 * What adapters read of a config as text, equal for two configs of the same lists.
 *
 * @param wordOf a text for what is no plain data, such as a column of an ORM
 * @returns undefined for a config that has no such text
 */
export function contentOfConfig(
  config: QueryFieldConfig,
  wordOf: (value: object) => string | undefined = () => undefined,
): string | undefined {
  let isPlain = true;
  const record = config as Readonly<Record<string, unknown>>;
  const lists = LISTS.map((name) => (record[name] === undefined ? false : record[name]));
  const content = JSON.stringify(lists, (_, value: unknown) => {
    const word = typeof value === 'object' && value !== null ? wordOf(value) : undefined;
    if (word !== undefined || isData(value)) return word ?? value;
    isPlain = false;
    return null;
  });
  return isPlain ? content : undefined;
}

const LISTS = ['columns', 'sortable', 'searchColumns', 'primaryKey', 'filterable', 'searchable'];

function isData(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return (
        value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
      );
    default:
      return false;
  }
}
