/** The operators of `filter=field:operator:value`, in lower case. */
export type FilterOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'between'
  | 'in'
  | 'contains'
  | 'starts'
  | 'ends';

/** Operators that are accepted only if `options.operators` lists them. */
export type OptInOperator = 'nin' | 'isnull' | 'ieq';

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

export const OPT_IN_OPERATORS = [
  'nin',
  'isnull',
  'ieq',
] as const satisfies readonly OptInOperator[];
