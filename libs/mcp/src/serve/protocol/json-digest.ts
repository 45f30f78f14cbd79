import crypto from 'node:crypto';
import { isObject } from '@fledge-internal/options';

/** The order of the fields does not matter. */
export function digestOf(value: unknown): string {
  return crypto.hash('sha256', canonicalJson(value), 'base64');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
