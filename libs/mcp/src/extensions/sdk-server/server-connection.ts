import { AsyncLocalStorage } from 'node:async_hooks';
import { isLogLevel, type Peer } from '../../serve/call/peer.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../serve/protocol/json-rpc.js';
import { UnderWay } from '../../serve/protocol/under-way.js';
import type { ListName } from '../../serve/methods/local-items.js';
import { objectOf } from '../../publish/schema/json-schema.js';
import { RunningRequest } from './running-request.js';
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

/** The version that servers of both generations of the SDK speak over a transport (MCP 2025-11-25). */
const REVISION = '2025-11-25';

/**
 * The only client of a server, in this process. It is a transport of the SDK, and sends the requests of all callers.
 */
export class ServerConnection {
  onmessage: ((message: object, extra: object) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  /** Called when a list of the server has changed. */
  readonly listeners: ((list: ListName) => void)[] = [];
  /** What the server declared. */
  capabilities: JsonObject = {};
  private readonly running = new Map<number, RunningRequest>();
  private readonly underWay = new UnderWay();
  /** The request that a handler works for: not every function of the SDK says it. */
  private readonly current = new AsyncLocalStorage<number>();
  private lastId = 0;

  /** @param timeoutMs maximum milliseconds of a request, without the time for questions to the client */
  constructor(
    private readonly server: McpSdkServer,
    private readonly timeoutMs: number,
  ) {}

  /** Connects to the server. Call it once. */
  async open(): Promise<void> {
    await this.server.connect(this as never);
    const { capabilities } = await this.request('initialize', {
      protocolVersion: REVISION,
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      clientInfo: { name: '@fledge/mcp', version: '1.0.0' },
    });
    this.capabilities = objectOf(capabilities);
    this.deliver({ method: 'notifications/initialized' });
  }

  /** All items of a list. Empty if the server does not declare it. */
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

  /** Resolves when no request is running, at the latest when those of now have timed out. */
  settled(): Promise<void> {
    return this.underWay.none(this.timeoutMs);
  }

  /**
   * Sends a request to the server.
   * @param peer the client for whom. It aborts the request
   * @throws RequestFault the error of the server
   */
  request(method: string, params: JsonObject, peer?: Peer): Promise<JsonObject> {
    const id = ++this.lastId;
    this.underWay.begin();
    return new Promise((resolve, reject) => {
      const ended = (result: JsonObject | undefined, error: Error | undefined) => {
        this.running.delete(id);
        this.underWay.end();
        if (result) resolve(result);
        else reject(error ?? new Error('The server answered nothing'));
      };
      const onLate = () => {
        this.cancel(id, `The server did not answer within ${this.timeoutMs} ms`);
      };
      this.running.set(id, new RunningRequest(peer, this.timeoutMs, ended, onLate));
      peer?.started({ abort: () => this.cancel(id, 'The client cancelled the request') });
      if (!this.running.has(id)) return;
      const _meta = { ...objectOf(params['_meta']), progressToken: id };
      const message = { id, method, params: peer ? { ...params, _meta } : params };
      this.current.run(id, () => this.deliver(message, peer));
    });
  }

  // What the SDK calls.

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends running requests with an error. */
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
    if (list !== undefined) for (const listener of this.listeners) listener(list as ListName);
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

  /** Answers a question of the server, by asking the client of the request. */
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
    if (!running) throw new Error(`${method} belongs to no request that is running`);
    return { result: await running.ask(method, params) };
  }

  /** The request that a message of the server belongs to. Undefined if none of the running ones. */
  private requestOf(related: unknown): RunningRequest | undefined {
    const id = related ?? this.current.getStore();
    return id === undefined ? undefined : this.running.get(Number(id));
  }
}

/** Who sends a request, as handlers of the SDK see it. */
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

/** The connections of servers. The endpoints of an application share them. */
const connections = new WeakMap<McpSdkServer, { users: number; connection: ServerConnection }>();

/** Connects to a server, unless another endpoint has done so. */
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

/** Closes a server when no endpoint needs it any more. */
export async function disconnectFrom(server: McpSdkServer): Promise<void> {
  const known = connections.get(server);
  if (!known || --known.users > 0) return;
  connections.delete(server);
  await known.connection.settled();
  await server.close();
}
