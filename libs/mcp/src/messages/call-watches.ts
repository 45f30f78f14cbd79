import type { IncomingHttpHeaders } from 'node:http';
import { CallObservers, type CallRecord } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../calls/caller.js';
import { MCP_OPTIONS, type ResolvedMcpOptions } from '../mcp.defaults.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import { subscribeAudit } from '../observe/audit.js';
import type { CallNetwork, TracedCall } from '../observe/call-start.js';
import { CallWatch, type Publish } from '../observe/call-watch.js';
import { Telemetry } from '../observe/telemetry.js';
import { isRecord } from '../schema/json-schema.js';
import type { ClientMessage, JsonObject, JsonRpcRequest } from './json-rpc.js';
import { WatchedReply } from './watched-reply.js';
import type { Refusal } from './refusals.js';
import type { Reply } from './reply.js';

/** The methods that run a tool, a prompt or a resource, and the parameter that names it. */
const CALLS: ReadonlyMap<string, readonly [CallRecord['kind'], 'name' | 'uri']> = new Map([
  ['tools/call', ['tool', 'name']],
  ['prompts/get', ['prompt', 'name']],
  ['resources/read', ['resource', 'uri']],
]);

const LONGEST_NAME = 256;

/** Watches calls for observers, and all requests for traces. Does nothing while there are neither. */
@Injectable()
export class CallWatches {
  readonly telemetry: Telemetry;

  constructor(
    private readonly observers: CallObservers,
    @Inject(MCP_OPTIONS) options: ResolvedMcpOptions,
  ) {
    subscribeAudit(observers, options);
    this.telemetry = new Telemetry(options.telemetry);
  }

  /** True while calls are observed or traced. */
  get any(): boolean {
    return this.observers.any || this.telemetry.isOn;
  }

  /**
   * Starts to watch a message and the answer to it, if it is a request to observe or to trace.
   * @param bytes its size, if it did not come over HTTP
   */
  watched(
    client: ClientMessage | undefined,
    caller: Caller,
    reply: Reply,
    bytes?: number,
  ): Watched {
    if (client?.kind !== 'request') return { caller, reply };
    const watch = this.begin(startOf(client.message, caller, bytes), metaOf(client.message));
    if (!watch) return { caller, reply };
    return { caller: { ...caller, watch }, reply: new WatchedReply(reply, watch) };
  }

  /** Refuses a request whose body was not read. Its headers name the method (MCP 2026-07-28). */
  refuse(refusal: Refusal, endpoint: string, origin: Caller['origin'], reply: Reply): void {
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
    (watch ? new WatchedReply(reply, watch) : reply).refuse(refusal);
  }

  /** Resolves when observers have finished, at the latest after `limitMs` milliseconds. */
  async settled(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.observers.settled(), late]);
    clearTimeout(timer);
  }

  /** Undefined if the request is neither observed nor traced. */
  private begin(start: TracedCall, meta: JsonObject = {}): CallWatch | undefined {
    const { observers, telemetry } = this;
    const isCall = start.method === undefined || CALLS.has(start.method);
    const publish: Publish | undefined =
      observers.any && isCall ? (record, ctx) => observers.notify(record, ctx) : undefined;
    const span = start.method === undefined ? undefined : telemetry.begin(start, meta);
    return publish || span ? new CallWatch(start, { publish, span }) : undefined;
  }
}

/** The sender of a message and the reply to it, watched if the message is a call. */
interface Watched {
  readonly caller: Caller;
  readonly reply: Reply;
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
  return isRecord(meta) ? meta : {};
}

/** @param bytes undefined: the message came over HTTP */
function networkOf(origin: Caller['origin'], bytes: number | undefined): CallNetwork {
  if (bytes !== undefined) return { transport: 'pipe' };
  const { remoteAddress: address, remotePort: port } = origin.socket;
  return { transport: 'tcp', httpVersion: origin.httpVersion ?? '1.1', address, port };
}

const MCP = 'io.modelcontextprotocol';

function clientIn(client: unknown): McpClientInfo | undefined {
  if (!isRecord(client)) return undefined;
  return { name: String(client['name']), version: String(client['version']) };
}

function bytesOf(message: JsonRpcRequest, headers: IncomingHttpHeaders): number {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? length : Buffer.byteLength(JSON.stringify(message));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
