import { McpOptionError } from '../mcp.errors.js';

/** The error for an invalid value of an option. */
export function bad(option: string, value: unknown, expected: string): McpOptionError {
  const given = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new McpOptionError(
    `McpModule.forRoot({ ${option} }) is ${given}, but must be ${expected}.`,
  );
}

/** What an option with a count must be, for messages. */
export const COUNT = 'a whole number of at least 1';

export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** Returns the value of an option that must be a positive whole number. */
export function positive(option: string, value: number): number {
  if (!isCount(value)) throw bad(option, value, COUNT);
  return value;
}
