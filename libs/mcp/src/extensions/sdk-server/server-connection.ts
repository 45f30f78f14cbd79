import { AsyncLocalStorage } from 'node:async_hooks';
import { objectOf } from '@fledge-internal/options';
import { isLogLevel, type Peer } from '../../serve/call/peer.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { ListName } from '../../serve/methods/local-items.js';
import { RunningRequest } from './server-request.js';
import type { McpSdkServer } from './server-options.js';

/** A message between Fledge and the server, in either direction. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const LIST_CHANGED = /^notifications\/(tools|prompts|resources)\/list_changed$/;

/** The protocol version that both SDK generations use over a custom transport (MCP 2025-11-25). */
const REVISION = '2025-11-25';

/**
 * Connects this process to an SDK server, as the server's only client. This class is a transport of
 * the SDK. It sends the requests of all callers.
 */
export class ServerConnection {
  onmessage: ((message: object, extra: object) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  /** Called when a list of the server has changed, by owner. */
  readonly listeners = new Map<object, (list: ListName) => void>();
  /** Capabilities that the server declared. */
  capabilities: JsonObject = {};
  private readonly running = new Map<number, RunningRequest>();
  /**
   * Id of the request that the server is handling. Needed because some SDK functions do not pass
   * it.
   */
  private readonly current = new AsyncLocalStorage<number>();
  private lastId = 0;

  /**
   * @param timeoutMs maximum milliseconds of a request. The time for questions to the client does
   * not count
   */
  constructor(
    private readonly server: McpSdkServer,
    private readonly timeoutMs: number,
  ) {}

  /** Connects to the server. Call this once. */
  async open(): Promise<void> {
    await this.server.connect(this as never);
    try {
      await this.initialize();
    } catch (error) {
      // The first error is the reason.
      await this.server.close().catch(() => undefined);
      throw error;
    }
  }

  private async initialize(): Promise<void> {
    const { capabilities } = await this.request('initialize', {
      protocolVersion: REVISION,
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      clientInfo: { name: '@fledge/mcp', version: '1.0.0' },
    });
    this.capabilities = objectOf(capabilities);
    this.deliver({ method: 'notifications/initialized' });
  }

  /**
   * Reads all items of a list. Returns an empty list if the server does not declare the capability.
   */
  async list<Item>(method: string, member: string): Promise<readonly Item[]> {
    if (!(method.split('/', 1)[0]! in this.capabilities)) return [];
    const items: Item[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      items.push(...(page[member] as readonly Item[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return items;
  }

  /**
   * Sends a request to the server.
   * @param peer the client that sent the request. It can abort the request
   * @throws RequestFault with the error of the server
   */
  request(method: string, params: JsonObject, peer?: Peer): Promise<JsonObject> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const ended = (result: JsonObject | undefined, error: Error | undefined) => {
        this.running.delete(id);
        if (result) resolve(result);
        else reject(error ?? new Error('The server sent an empty response'));
      };
      const onLate = () => {
        this.cancel(id, `The server did not respond within ${this.timeoutMs} ms`);
      };
      this.running.set(id, new RunningRequest(peer, this.timeoutMs, ended, onLate));
      peer?.started({ abort: () => this.cancel(id, 'The client cancelled the request') });
      if (!this.running.has(id)) return;
      const _meta = { ...objectOf(params['_meta']), progressToken: id };
      const message = { id, method, params: peer ? { ...params, _meta } : params };
      this.current.run(id, () => this.deliver(message, peer));
    });
  }

  // The methods of the transport that the SDK calls.

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Rejects all running requests. */
  close(): Promise<void> {
    for (const request of [...this.running.values()]) request.settle(undefined, gone());
    this.onclose?.();
    return Promise.resolve();
  }

  send(message: Message, related?: { readonly relatedRequestId?: unknown }): Promise<void> {
    const { id, method } = message;
    if (method === undefined) this.answered(message);
    else if (id === undefined) this.notified(message, related?.relatedRequestId);
    else void this.answer(message, related?.relatedRequestId);
    return Promise.resolve();
  }

  private deliver(message: Message, peer?: Peer): void {
    this.onmessage?.({ jsonrpc: '2.0', ...message }, peer ? senderOf(peer) : {});
  }

  private cancel(id: number, reason: string): void {
    const running = this.running.get(id);
    if (!running) return;
    this.deliver({ method: 'notifications/cancelled', params: { requestId: id, reason } });
    running.settle(undefined, new RequestFault(ErrorCode.InternalError, reason));
  }

  private answered({ id, result, error }: Message): void {
    const fault = error && new RequestFault(error.code, error.message, error.data);
    this.running.get(Number(id))?.settle(result, fault);
  }

  private notified({ method, params = {} }: Message, related: unknown): void {
    const list = LIST_CHANGED.exec(method ?? '')?.[1];
    if (list !== undefined) this.listeners.forEach((listener) => listener(list as ListName));
    if (method === 'notifications/progress') {
      const { progressToken, progress, total, message } = params;
      const { peer } = this.running.get(Number(progressToken)) ?? {};
      peer?.progress(Number(progress), total as number | undefined, message as string | undefined);
    }
    if (method === 'notifications/message') {
      const { level, data, logger } = params;
      const { peer } = this.requestOf(related) ?? {};
      if (isLogLevel(level)) peer?.log(level, data, logger as string | undefined);
    }
  }

  /** Answers a request of the server. Asks the client for the answer, except for `ping`. */
  private async answer({ id, method = '', params = {} }: Message, related: unknown): Promise<void> {
    const answer = await this.ask(method, params, related).catch((error: unknown) => ({
      error: {
        code: ErrorCode.Refused,
        message: error instanceof Error ? error.message : String(error),
      },
    }));
    this.deliver({ ...(id !== undefined && { id }), ...answer });
  }

  private async ask(
    method: string,
    params: JsonObject,
    related: unknown,
  ): Promise<Pick<Message, 'result' | 'error'>> {
    if (method === 'ping') return { result: {} };
    const running = this.requestOf(related);
    if (!running) throw new Error(`A server can send ${method} only during a client's request`);
    return { result: await running.ask(method, params) };
  }

  /**
   * Returns the client request that caused a message from the server, or undefined if there is
   * none.
   */
  private requestOf(related: unknown): RunningRequest | undefined {
    const id = related ?? this.current.getStore();
    return id === undefined ? undefined : this.running.get(Number(id));
  }
}

/** Builds the caller information that SDK handlers receive. */
function senderOf({ caller: { origin, principal } }: Peer): object {
  const { headers } = origin;
  const [, token = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  return {
    requestInfo: { headers },
    ...(principal && {
      authInfo: {
        token,
        clientId: principal.id,
        scopes: [...(principal.scopes ?? [])],
        extra: { principal },
      },
    }),
  };
}

function gone(): RequestFault {
  return new RequestFault(ErrorCode.Refused, 'The server was closed');
}

/** Open connections to SDK servers, shared by the endpoints of an application. */
const connections = new WeakMap<McpSdkServer, { users: number; connection: ServerConnection }>();

/** Connects to a server, or reuses the connection of another endpoint. */
export async function connectTo(
  server: McpSdkServer,
  timeoutMs: number,
): Promise<ServerConnection> {
  const known = connections.get(server);
  if (known) {
    known.users++;
    return known.connection;
  }
  const connection = new ServerConnection(server, timeoutMs);
  await connection.open();
  connections.set(server, { users: 1, connection });
  return connection;
}

/** Disconnects from a server when the last endpoint releases it. */
export async function disconnectFrom(server: McpSdkServer): Promise<void> {
  const known = connections.get(server);
  if (!known || --known.users > 0) return;
  connections.delete(server);
  await server.close();
}
