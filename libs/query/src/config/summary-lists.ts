import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryFieldConfig } from './field-config.js';
import { offsetFormatOf } from './time-zone.js';

const LISTS = ['facetable', 'groupable', 'aggregatable'] as const;

/** The allow-lists of `facets`, `group` and `aggregate`. If undefined, the parameter is ignored. */
export interface SummaryLists {
  readonly facetable?: readonly string[];
  readonly groupable?: readonly string[];
  readonly aggregatable?: readonly string[];
  readonly timeZone: string;
}

/** Returns undefined if the config has none of the lists. @throws InvalidQueryConfigError */
export function summaryListsOf(config: QueryFieldConfig): SummaryLists | undefined {
  const { timeZone = 'UTC' } = config;
  if (typeof timeZone !== 'string' || offsetFormatOf(timeZone) === undefined) {
    throw new InvalidQueryConfigError(
      `\`timeZone\` of a query config is ${JSON.stringify(timeZone)}, ` +
        'which is not an IANA time zone.',
      `Write timeZone: 'Europe/Berlin'.`,
    );
  }
  const given = LISTS.filter((name) => config[name] !== undefined);
  for (const name of given) checkNames(name, config[name]);
  if (given.length === 0) return undefined;
  return { ...Object.fromEntries(given.map((name) => [name, config[name]])), timeZone };
}

function checkNames(name: string, list: unknown): void {
  const usable = (field: unknown) =>
    typeof field === 'string' && field !== '' && field !== '__proto__';
  if (Array.isArray(list) && list.every(usable)) return;
  throw new InvalidQueryConfigError(
    `\`${name}\` of a query config is not an array of field names.`,
    `Write ${name}: ['status'].`,
  );
}
