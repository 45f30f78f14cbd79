/** The operators of `filter=field:operator:value`. Case-sensitive on the wire. */
export type FilterOperator =
  'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'in' | 'contains' | 'starts' | 'ends';

/** Operators that a config has to ask for: `options.operators`. */
export type OptInOperator = 'nin' | 'isnull';

export const FILTER_OPERATORS: readonly FilterOperator[] = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'contains',
  'starts',
  'ends',
];

export const OPT_IN_OPERATORS: readonly OptInOperator[] = ['nin', 'isnull'];
