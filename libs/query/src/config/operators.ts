export const FILTER_OPERATORS = [
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
] as const;
/** The operators of `filter=field:operator:value`, in lower case. */
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export const OPT_IN_OPERATORS = ['nin', 'isnull', 'ieq', 'has'] as const;
/** Operators that are accepted only if `options.operators` lists them. */
export type OptInOperator = (typeof OPT_IN_OPERATORS)[number];
