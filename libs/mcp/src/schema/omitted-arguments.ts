import { isRecord, without } from './json-schema.js';
import type { ToolInput } from './tool-input.js';

/** The arguments a null leaves out of the request: those of the query that may be missing. */
export function omittedIfNull({ schema, places }: ToolInput): ReadonlySet<string> {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const optional = places.filter(
    ({ place, argument }) => place === 'query' && !required.includes(argument),
  );
  return new Set(optional.map(({ argument }) => argument));
}

/** The arguments without those that a null leaves out of the request (`omittedIfNull`). */
export function withoutNulls(args: unknown, omittedIfNull: ReadonlySet<string>): unknown {
  if (!isRecord(args) || omittedIfNull.size === 0) return args;
  const isOmitted = (name: string): boolean => Object.hasOwn(args, name) && args[name] === null;
  const omitted = [...omittedIfNull].filter(isOmitted);
  return omitted.length === 0 ? args : without(args, ...omitted);
}
