import { BadOptionError } from '../cli.errors.js';
import { readJsonObject } from '../json.js';

/** Parses a list separated by commas. */
export function names(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Parses the value of `--tenants`. An empty shell variable must not select no tenants. */
export function selectedNames(value: string): string[] {
  const list = names(value);
  if (list.length > 0) return list;
  throw new BadOptionError('--tenants', value, 'one or more tenants, separated by commas');
}

/** Returns a parser for whole numbers of at least 1. */
export function count(option: string): (value: string) => number {
  return (value) => {
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
    throw new BadOptionError(option, value, 'a whole number of 1 or more');
  };
}

/**
 * Parses a number of canary tenants, or a list of tenant ids. If there is only one id and it is a
 * number, add a comma: `7,`.
 */
export function canaryOf(value: string): number | string[] {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const list = names(value);
  if (list.length > 0 && !/^-\d+$/.test(value)) return list;
  throw new BadOptionError('--canary', value, 'a number of tenants, or one or more tenant ids');
}

export function tenantData(value: string): object {
  return readJsonObject('--data', value, `Pass an object: --data '{"plan":"pro"}'.`);
}
