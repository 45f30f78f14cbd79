import { checkNames, nearestTo, Place, someOf } from '@fledge-internal/options';
import { InvalidQueryConfigError } from '../query.errors.js';
import { FILTER_OPERATORS, OPT_IN_OPERATORS } from './operators.js';

/** All option names of a config, of all adapters. */
const CONFIG = [
  ...['columns', 'filterable', 'sortable', 'selectable', 'searchColumns', 'searchable', 'search'],
  ...['primaryKey', 'defaultSort', 'nulls', 'relations', 'encode', 'provider'],
  ...['facetable', 'groupable', 'aggregatable', 'timeZone'],
];
const COLUMN = [
  ...['name', 'column', 'type', 'nullable', 'values', 'operators', 'min', 'max', 'asText'],
  ...['hasCursors', 'relation', 'json', 'array'],
];
const JOIN = ['table', 'on'];
const RELATION = ['many', 'required', ...JOIN, 'through'];

/**
 * Checks the option names of a config. Otherwise, a misspelled `sortable` would make every column
 * sortable.
 * @throws InvalidQueryConfigError
 */
export function checkConfigNames(config: unknown): void {
  checkNames(config, CONFIG, placeInConfig(''));
  checkForm(config as Readonly<Record<string, unknown>>);
}

/** The lists of one form of a config, each with the list of the other form. */
const LISTS = { filterable: 'columns', searchable: 'searchColumns' } as const;

/**
 * A config has `columns`, or only lists of names. In a mixed config, one list would be ignored: with
 * `columns`, `filterable` would not limit the fields that clients can filter by.
 */
function checkForm(config: Readonly<Record<string, unknown>>): void {
  const hasColumns = 'columns' in config;
  for (const [name, withColumns] of Object.entries(LISTS)) {
    if (hasColumns && config[name] !== undefined) {
      throw new InvalidQueryConfigError(
        `A query config contains \`columns\` and \`${name}\`. \`${name}\` would be ignored.`,
        `Move the fields of \`${name}\` to \`${withColumns}\`, ` +
          `or replace \`columns\` with lists of names.`,
      );
    }
  }
  if (!hasColumns && config['searchColumns'] !== undefined) {
    throw new InvalidQueryConfigError(
      'A query config contains `searchColumns` without `columns`. `searchColumns` would be ignored.',
      'Use `searchable: [...]` instead, or declare `columns`.',
    );
  }
  if (hasColumns && Array.isArray(config['sortable'])) {
    throw new InvalidQueryConfigError(
      'A query config contains `columns`, but `sortable` is an array.',
      'Write `sortable: { title: <column> }`, or replace `columns` with lists of names.',
    );
  }
}

/**
 * @param field the path of a column in its config, such as `columns.status`
 * @throws InvalidQueryConfigError
 */
export function checkColumnNames(field: string, declaration: unknown): void {
  if (typeof declaration !== 'object') return;
  const place = placeInConfig(field);
  checkNames(declaration, COLUMN, place);
  const { operators, min, max } = declaration;
  if (operators !== undefined) OPERATORS.read(operators as never, place.at('operators'));
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return;
  throw place.at('min').wrong(min, `at most \`max\`, which is ${max}`);
}

const OPERATORS = someOf(...FILTER_OPERATORS, ...OPT_IN_OPERATORS);

/** @throws InvalidQueryConfigError */
export function checkRelationNames(path: string, declaration: unknown): void {
  const place = placeInConfig(`relations.${path}`);
  checkNames(declaration, RELATION, place);
  const { through } = declaration;
  if (through !== undefined) checkNames(through, JOIN, place.at('through'));
}

/**
 * Checks that a dotted field is not a misspelled path of a relation. Otherwise, the field would be
 * used as the name of a column.
 * @throws InvalidQueryConfigError
 */
export function checkRelationPath(field: string, relations: readonly string[]): void {
  const path = field.slice(0, Math.max(field.lastIndexOf('.'), 0));
  const nearest = nearestTo(path, relations);
  if (path === '' || nearest === undefined || relations.includes(path)) return;
  throw new InvalidQueryConfigError(
    `\`columns.${field}\` of a query config goes through the relation "${path}", ` +
      `which \`relations\` does not declare. Did you mean "${nearest}"?`,
    `Correct the name of the relation. If "${field}" is the name of a column, ` +
      `write { name: '${field}', type: 'string' }.`,
  );
}

/** @param owner the path of an option, such as `columns.status`. Empty for the config itself */
export function placeInConfig(owner: string): Place {
  return new Place(
    (message) => new InvalidQueryConfigError(message),
    (path) => {
      const option = [owner, path].filter(Boolean).join('.');
      return option === '' ? 'A query config' : `\`${option}\` of a query config`;
    },
  );
}
