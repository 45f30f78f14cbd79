import type { IncomingHttpHeaders } from 'node:http';
import { CallObservers, type CallRecord } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../calls/caller.js';
import { MCP_OPTIONS, type ResolvedMcpOptions } from '../mcp.defaults.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import { subscribeAudit } from '../observe/audit.js';
import { type CallStart, CallWatch } from '../observe/call-watch.js';
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

/** Watches calls for observers. Does nothing while there are none. */
@Injectable()
export class CallWatches {
  constructor(
    private readonly observers: CallObservers,
    @Inject(MCP_OPTIONS) options: ResolvedMcpOptions,
  ) {
    subscribeAudit(observers, options);
  }

  /** True while calls are observed. */
  get any(): boolean {
    return this.observers.any;
  }

  /** Starts to watch a message, if it is a call. */
  watch(client: ClientMessage | undefined, caller: Caller, bytes?: number): CallWatch | undefined {
    if (client?.kind !== 'request' || !CALLS.has(client.message.method)) return undefined;
    return this.begin(startOf(client.message, caller, bytes));
  }

  /** Watches the answer to a message, if it is a call. */
  watched(client: ClientMessage | undefined, caller: Caller, reply: Reply): Watched {
    const watch = this.watch(client, caller);
    if (!watch) return { caller, reply };
    return { caller: { ...caller, watch }, reply: new WatchedReply(reply, watch) };
  }

  /** Refuses a request whose body was not read. Its headers name the method (MCP 2026-07-28). */
  refuse(refusal: Refusal, { headers }: Caller['origin'], reply: Reply): void {
    if (!this.any) return reply.refuse(refusal);
    const method = textOf(headers['mcp-method']);
    if (method !== undefined && !CALLS.has(method)) return reply.refuse(refusal);
    const watch = this.begin({
      method,
      kind: method === undefined ? undefined : CALLS.get(method)?.[0],
      name: textOf(headers['mcp-name'])?.slice(0, LONGEST_NAME),
      client: undefined,
      revision: textOf(headers['mcp-protocol-version']),
      sessionId: textOf(headers['mcp-session-id']),
      principal: undefined,
      bytes: Number(headers['content-length'] ?? 0),
    });
    new WatchedReply(reply, watch).refuse(refusal);
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

  private begin(start: CallStart): CallWatch {
    return new CallWatch(start, (record) => this.observers.notify(record));
  }
}

/** The sender of a message and the reply to it, watched if the message is a call. */
interface Watched {
  readonly caller: Caller;
  readonly reply: Reply;
}

function startOf(
  message: JsonRpcRequest,
  { origin, principal }: Caller,
  bytes?: number,
): CallStart {
  const { method, params = {} } = message;
  const { headers } = origin;
  const [kind, parameter] = CALLS.get(method) ?? [undefined, 'name' as const];
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  return {
    method,
    kind,
    name: textOf(params[parameter])?.slice(0, LONGEST_NAME),
    client: clientIn(meta),
    revision: textOf(meta[`${MCP}/protocolVersion`]) ?? textOf(headers['mcp-protocol-version']),
    sessionId: textOf(headers['mcp-session-id']),
    principal,
    bytes: bytes ?? bytesOf(message, headers),
  };
}

const MCP = 'io.modelcontextprotocol';

function clientIn(meta: JsonObject): McpClientInfo | undefined {
  const client = meta[`${MCP}/clientInfo`];
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
