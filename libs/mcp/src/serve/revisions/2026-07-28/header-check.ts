import type { IncomingHttpHeaders } from 'node:http';
import {
  type ClientMessage,
  ErrorCode,
  type JsonObject,
  type JsonRpcRequest,
  shortened,
} from '../../protocol/json-rpc.js';
import type { Refusal } from '../../protocol/refusals.js';
import { claimedRevision, headerText, REVISION } from '../message-revision.js';
import { type EnvelopeFault, envelopeFault, missingFields, revisionFault } from './envelope.js';

// Checks `_meta` of a message of MCP 2026-07-28, and compares it with the headers. Over HTTP, headers
// repeat the version, the method and the name.

/** The parts of an HTTP request that are compared with the message in the body. */
export interface HttpClaim {
  readonly headers: IncomingHttpHeaders;
  /** Name of the tool that the client called, if the message was rewritten to call another tool. */
  readonly via: string | undefined;
  /** The parameter that the header `Mcp-Name` must repeat, by method. */
  readonly named: ReadonlyMap<string, string>;
}

/** @param http undefined if the message did not come over HTTP */
export function claimRefusal(
  { kind, message }: Exclude<ClientMessage, { kind: 'response' }>,
  http: HttpClaim | undefined,
): Refusal | undefined {
  const refusal =
    kind === 'request'
      ? requestRefusal(message, http)
      : notificationRefusal(message, http?.headers);
  return refusal && kind === 'request' ? { ...refusal, id: message.id } : refusal;
}

function requestRefusal(
  { method, params = {} }: JsonRpcRequest,
  http: HttpClaim | undefined,
): Refusal | undefined {
  const claimed = claimedRevision(params) as string | undefined;
  if (claimed === undefined) return missingEnvelope(params, http?.headers);
  const fault = envelopeFault(params);
  if (fault) return faultyEnvelope(fault);
  if (!http) return claimed === REVISION ? undefined : unsupportedRevision(claimed);
  const { headers } = http;
  return (
    disagreement(method, claimed, headers) ??
    (claimed === REVISION ? undefined : unsupportedRevision(claimed)) ??
    missingHeader(method, headers) ??
    nameFault(method, params, http)
  );
}

function notificationRefusal(
  { method, params }: { readonly method: string; readonly params?: JsonObject },
  headers: IncomingHttpHeaders | undefined,
): Refusal | undefined {
  if (!headers) return undefined;
  const claimed = claimedRevision(params) as string | undefined;
  const fault = claimed === undefined ? undefined : revisionFault(claimed);
  if (fault) return faultyEnvelope(fault);
  return (
    disagreement(method, claimed, headers) ??
    (claimed === undefined || claimed === REVISION ? undefined : unsupportedRevision(claimed))
  );
}

function disagreement(
  method: string,
  claimed: string | undefined,
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  const version = headerText(headers['mcp-protocol-version']);
  if (version !== undefined && claimed !== undefined && version !== claimed) {
    const text = `the body envelope names protocol version ${shortened(claimed)} but the MCP-Protocol-Version header names ${version}`;
    return mismatch(version, text);
  }
  const sent = headerText(headers['mcp-method']);
  if (sent === undefined || sent === method) return undefined;
  return mismatch(
    sent,
    `the body names method ${shortened(method)} but the Mcp-Method header names ${sent}`,
  );
}

function missingHeader(method: string, headers: IncomingHttpHeaders): Refusal | undefined {
  if (headers['mcp-protocol-version'] === undefined) {
    const text = `the body envelope names protocol version ${REVISION} but the required MCP-Protocol-Version header is absent`;
    return mismatch(MISSING, text);
  }
  if (headers['mcp-method'] !== undefined) return undefined;
  const text = `the body names method ${shortened(method)} but the required Mcp-Method header is absent`;
  return mismatch(MISSING, text);
}

/** The parameter that the header `Mcp-Name` must repeat, by method. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Returns `NAMED`, together with the methods that extensions add. */
export function namedParameters(
  added: ReadonlyMap<string, { readonly named?: string }>,
): ReadonlyMap<string, string> {
  const others = [...added].flatMap(([method, { named }]) =>
    named === undefined ? [] : [[method, named] as const],
  );
  return new Map([...NAMED, ...others]);
}

function nameFault(
  method: string,
  params: JsonObject,
  { headers, via, named }: HttpClaim,
): Refusal | undefined {
  const field = named.get(method);
  if (field === undefined) return undefined;
  const value = params[field];
  const header = headerText(headers['mcp-name']);
  const name = header === undefined ? undefined : decodeHeader(header);
  if (header !== undefined && name === undefined) {
    return mismatch(header, 'the Mcp-Name header carries an invalid Base64 sentinel value');
  }
  // The check of the parameters rejects any other value later.
  if (typeof value !== 'string') return undefined;
  const carries = `the body carries params.${field}="${shortened(value)}" but the`;
  if (header === undefined) {
    return mismatch(MISSING, `${carries} required Mcp-Name header is absent`);
  }
  if (name === (via ?? value)) return undefined;
  return mismatch(header, `${carries} Mcp-Name header names "${name}"`);
}

// Values of headers may be base64 (MCP 2026-07-28, Streamable HTTP).

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** Decodes a header such as `Mcp-Name`. Returns undefined if the value is malformed. */
export function decodeHeader(sent: string): string | undefined {
  const value = sent.trim();
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Buffer ignores invalid base64 characters. The value is valid only if encoding it again returns
  // the same string.
  if (bytes.toString('base64') !== base64) return undefined;
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

const MISSING = '(missing)';

function mismatch(header: string, body: string): Refusal {
  return {
    status: 400,
    code: ErrorCode.HeaderMismatch,
    message: `Bad Request: the request headers and body disagree: ${body}`,
    data: { mismatch: { header, body } },
  };
}

function missingEnvelope(params: JsonObject, headers: IncomingHttpHeaders | undefined): Refusal {
  const missing = missingFields(params);
  const version = headerText(headers?.['mcp-protocol-version']) ?? REVISION;
  const text =
    `Invalid params: the MCP-Protocol-Version header names protocol revision ${version}, but the ` +
    `request is missing the required per-request envelope key(s): ${missing.join(', ')}`;
  return invalidEnvelope(text, { missing });
}

function faultyEnvelope(fault: EnvelopeFault): Refusal {
  const { key, problem } = fault;
  const text = `Invalid _meta envelope for protocol revision ${REVISION}: ${key}: ${problem}`;
  return invalidEnvelope(text, fault);
}

function invalidEnvelope(message: string, envelope: object): Refusal {
  return { status: 400, code: ErrorCode.InvalidParams, message, data: { envelope } };
}

function unsupportedRevision(requested: string): Refusal {
  return {
    status: 400,
    code: ErrorCode.UnsupportedVersion,
    message: `Unsupported protocol version: ${shortened(requested)}`,
    data: { supported: [REVISION], requested: shortened(requested) },
  };
}
