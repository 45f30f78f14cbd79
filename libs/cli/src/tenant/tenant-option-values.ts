import { BadOptionError } from '../cli.errors.js';
import { readJsonObject } from '../json.js';

/** Parses a list separated by commas. */
export function names(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
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
  return /^\d{1,9}$/.test(value) ? Number(value) : names(value);
}

export function tenantData(value: string): object {
  return readJsonObject('--data', value, `Pass an object: --data '{"plan":"pro"}'.`);
}
