import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '@fledge-internal/options';
import { type CallObservers, type CallRecord, resolvesWithin } from '@fledge/core/packages';
import type { Caller } from '../call/caller.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { CallNetwork, TracedCall } from '../observe/call-start.js';
import type { CallTracer, EndedSession } from '../observe/call-trace.js';
import { CallWatch, type Publish } from '../observe/call-watch.js';
import type { ClientMessage, JsonObject, JsonRpcRequest } from './json-rpc.js';
import type { Reply } from './reply.js';

/** By method: the kind of the call, and the parameter that contains the name or URI. */
const CALLS: ReadonlyMap<string, readonly [CallRecord['kind'], 'name' | 'uri']> = new Map([
  ['tools/call', ['tool', 'name']],
  ['prompts/get', ['prompt', 'name']],
  ['resources/read', ['resource', 'uri']],
]);

const LONGEST_NAME = 256;

/** Watches calls if there are observers. Watches requests if traces are on. */
export class CallWatches {
  constructor(
    private readonly observers: CallObservers,
    private readonly tracer: CallTracer | undefined,
  ) {}

  /** True while calls are observed or traced. */
  get any(): boolean {
    return (this.tracer?.isOn ?? false) || this.observers.any;
  }

  /**
   * Watches the reply, if the message is a request that is observed or traced.
   * @param bytes size of the message. Undefined if the message came over HTTP
   * @returns the sender of the message, with the watch if there is one
   */
  watch(client: ClientMessage | undefined, caller: Caller, reply: Reply, bytes?: number): Caller {
    if (client?.kind !== 'request') return caller;
    const watch = this.begin(startOf(client.message, caller, bytes), metaOf(client.message));
    if (!watch) return caller;
    reply.watchedBy(watch);
    return { ...caller, watch };
  }

  /** For a request whose body is not read. MCP 2026-07-28 also has the method in a header. */
  watchRefused(origin: Caller['origin'], endpoint: string, reply: Reply): void {
    const { headers } = origin;
    const method = textOf(headers['mcp-method']);
    const watch = this.begin({
      method,
      kind: method === undefined ? undefined : CALLS.get(method)?.[0],
      name: textOf(headers['mcp-name'])?.slice(0, LONGEST_NAME),
      via: undefined,
      client: undefined,
      revision: textOf(headers['mcp-protocol-version']),
      sessionId: textOf(headers['mcp-session-id']),
      principal: undefined,
      endpoint,
      bytes: Number(headers['content-length'] ?? 0),
      requestId: undefined,
      network: networkOf(origin, undefined),
    });
    if (watch) reply.watchedBy(watch);
  }

  sessionEnded(session: EndedSession): void {
    this.tracer?.sessionEnded(session);
  }

  /** Resolves when the observers have finished, or after `limitMs` milliseconds. */
  async settled(limitMs: number): Promise<void> {
    await resolvesWithin(this.observers.settled(), limitMs);
  }

  /** Returns undefined if no observer or trace needs the request. */
  private begin(start: TracedCall, meta: JsonObject = {}): CallWatch | undefined {
    const { observers, tracer } = this;
    const isCall = start.method === undefined || CALLS.has(start.method);
    const publish: Publish | undefined =
      observers.any && isCall
        ? (record, ctx, result) => observers.notify(record, ctx, result)
        : undefined;
    const span = start.method === undefined ? undefined : tracer?.begin(start, meta);
    if (!publish && !span) return undefined;
    const publishesResult = publish !== undefined && observers.wantResults;
    return new CallWatch(start, { publish, publishesResult, span });
  }
}

function startOf(message: JsonRpcRequest, caller: Caller, bytes?: number): TracedCall {
  const { id, method, params = {} } = message;
  const { headers } = caller.origin;
  const [kind, parameter] = CALLS.get(method) ?? [undefined, undefined];
  const meta = metaOf(message);
  return {
    method,
    kind,
    name: parameter && textOf(params[parameter])?.slice(0, LONGEST_NAME),
    via: caller.via,
    client: clientIn(method === 'initialize' ? params['clientInfo'] : meta[`${MCP}/clientInfo`]),
    revision:
      textOf(meta[`${MCP}/protocolVersion`]) ??
      textOf(headers['mcp-protocol-version'] ?? params['protocolVersion']),
    sessionId: textOf(headers['mcp-session-id']),
    principal: caller.principal,
    endpoint: caller.endpoint,
    bytes: bytes ?? bytesOf(message, headers),
    requestId: id,
    network: networkOf(caller.origin, bytes),
  };
}

function metaOf({ params }: JsonRpcRequest): JsonObject {
  const meta = params?.['_meta'];
  return isObject(meta) ? meta : {};
}

/** @param bytes size of the message. Undefined if the message came over HTTP */
function networkOf(origin: Caller['origin'], bytes: number | undefined): CallNetwork {
  if (bytes !== undefined) return { transport: 'pipe' };
  const { remoteAddress: address, remotePort: port } = origin.socket;
  return { transport: 'tcp', httpVersion: origin.httpVersion ?? '1.1', address, port };
}

const MCP = 'io.modelcontextprotocol';

function clientIn(client: unknown): McpClientInfo | undefined {
  if (!isObject(client)) return undefined;
  const { name, version } = client;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
}

function bytesOf(message: JsonRpcRequest, headers: IncomingHttpHeaders): number {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? length : Buffer.byteLength(JSON.stringify(message));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
