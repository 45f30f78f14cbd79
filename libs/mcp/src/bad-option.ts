import { McpOptionError } from './mcp.errors.js';

/** The error for an invalid value of an option. */
export function bad(option: string, value: unknown, expected: string): McpOptionError {
  const given = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new McpOptionError(
    `McpModule.forRoot({ ${option} }) is ${given}, but must be ${expected}.`,
  );
}
