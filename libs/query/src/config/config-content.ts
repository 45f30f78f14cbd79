import type { QueryFieldConfig } from './field-config.js';

/**
 * Returns a string that is equal for configs with equal lists. It is used as a cache key.
 *
 * @param keyOf returns a unique string for an object that is not plain data, such as a column of an
 * ORM
 * @returns undefined if the config contains other objects or functions
 */
export function contentOfConfig(
  config: QueryFieldConfig,
  keyOf: (value: object) => string | undefined = () => undefined,
): string | undefined {
  let isPlain = true;
  const record = config as Readonly<Record<string, unknown>>;
  const lists = LISTS.map((name) => (record[name] === undefined ? false : record[name]));
  // The check of the lists also checks the type of the hook. The key therefore includes this type.
  const hook = typeof record['search'];
  const names = Object.keys(config).join();
  const content = JSON.stringify([...lists, hook, names], (_, value: unknown) => {
    const key = typeof value === 'object' && value !== null ? keyOf(value) : undefined;
    if (key !== undefined || isData(value)) return key ?? value;
    isPlain = false;
    return null;
  });
  return isPlain ? content : undefined;
}

const LISTS = [
  ...['columns', 'sortable', 'selectable', 'searchColumns', 'primaryKey', 'relations'],
  ...['filterable', 'searchable', 'nulls', 'defaultSort'],
  ...['facetable', 'groupable', 'aggregatable', 'timeZone'],
];

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
