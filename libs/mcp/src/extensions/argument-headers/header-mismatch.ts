import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '@fledge-internal/options';
import { decodeHeader } from '../../serve/revisions/2026-07-28/header-check.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import type { ArgumentHeader } from './declared-headers.js';

/**
 * Compares each argument with its header. Proxies read the header, and the route reads the
 * argument. A call is rejected if they differ (MCP 2026-07-28).
 * @returns the difference, or undefined if there is none
 */
export function findMismatch(
  headers: readonly ArgumentHeader[],
  args: JsonObject,
  sent: IncomingHttpHeaders,
): string | undefined {
  for (const header of headers) {
    const fault = faultOf(header, valueAt(args, header.path), sent[header.header]);
    if (fault !== undefined) return `Header mismatch: the header ${header.header} ${fault}`;
  }
  return undefined;
}

function faultOf(
  { path, type }: ArgumentHeader,
  value: unknown,
  sent: string | readonly string[] | undefined,
): string | undefined {
  const argument = `the argument "${path.join('.')}"`;
  if (value === undefined || value === null) {
    return sent === undefined ? undefined : `was sent, but ${argument} was not`;
  }
  if (sent === undefined) return `is missing. It must repeat ${argument}`;
  const text = decodeHeader(String(sent));
  if (text === undefined) return 'has an invalid value';
  return matches(text, value, type) ? undefined : `differs from ${argument}`;
}

/**
 * Compares one header with its argument. Returns true for an argument of the wrong type, because
 * validation rejects the argument later.
 */
function matches(text: string, value: unknown, type: ArgumentHeader['type']): boolean {
  if (type === 'integer' && typeof value === 'number') {
    return /^-?\d+(\.0+)?$/.test(text) && Number(text) === value;
  }
  return isObject(value) || Array.isArray(value) ? false : text === String(value);
}

function valueAt(args: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    args,
  );
}
