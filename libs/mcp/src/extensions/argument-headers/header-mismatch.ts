import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../messages/json-rpc.js';
import { isRecord } from '../../schema/json-schema.js';
import type { ArgumentHeader } from './declared-headers.js';

/**
 * Compares arguments with the headers that repeat them. Intermediaries act on the header and the route on the
 * argument, so a call in which they differ is rejected (MCP 2026-07-28).
 * @returns what differs, or undefined if all agree
 */
export function findMismatch(
  headers: readonly ArgumentHeader[],
  args: JsonObject,
  sent: IncomingHttpHeaders,
): string | undefined {
  for (const header of headers) {
    const fault = faultOf(header, valueAt(args, header.path), sent[header.header]);
    if (fault !== undefined) return `Header mismatch: ${header.header} ${fault}`;
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
    return sent === undefined ? undefined : `is sent, but ${argument} is not`;
  }
  if (sent === undefined) return `is missing: it must repeat ${argument}`;
  const text = decodedHeader(String(sent));
  if (text === undefined) return 'has an invalid value';
  return matches(text, value, type) ? undefined : `does not repeat ${argument}`;
}

/** An argument of another type than its schema says is refused later, whatever the header has. */
function matches(text: string, value: unknown, type: ArgumentHeader['type']): boolean {
  if (type === 'integer' && typeof value === 'number') {
    return /^-?\d+(\.0+)?$/.test(text) && Number(text) === value;
  }
  return isRecord(value) || Array.isArray(value) ? false : text === String(value);
}

function valueAt(args: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    args,
  );
}

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** The value of a header, which may be encoded. Undefined if it is not well-formed. */
function decodedHeader(sent: string): string | undefined {
  const value = sent.trim();
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Buffer skips what is no base64: only what encodes to the same text was well-formed.
  if (bytes.toString('base64') !== base64) return undefined;
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
