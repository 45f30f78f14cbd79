import type { Caller } from '../../call/caller.js';
import type { EndpointOptions } from '../../../mcp.defaults.js';
import { type ClientMessage, type JsonRpcRequest, readableId } from '../../protocol/json-rpc.js';
import { RunningRequests } from '../../protocol/running-requests.js';
import { INVALID_BODY, SHUTTING_DOWN } from '../../protocol/refusals.js';
import { KEEP_ALIVE_MS, type Reply } from '../../protocol/reply.js';
import { LIST_NAMES } from '../../methods/local-items.js';
import type { Operations } from '../../methods/operations.js';
import { type MethodTable, serveRequest } from '../../methods/serve-request.js';
import { claimRefusal, type HttpClaim, namedParameters } from './header-check.js';
import { REVISION } from '../message-revision.js';
import { Listeners } from './listeners.js';
import { ResultWriter } from './result-writer.js';
import { RoundStateCodec } from './round-state.js';
import { statelessMethods } from './stateless-methods.js';
import { type StatelessEndpoint, StatelessRequest } from './stateless-request.js';

/** Serves clients of MCP 2026-07-28. */
export class Stateless {
  private readonly table: MethodTable<StatelessRequest>;
  private readonly endpoint: StatelessEndpoint;
  private readonly listeners: Listeners;
  /** The number of keep-alive periods that each running request has lasted, by its reply. */
  private readonly running = new RunningRequests<Reply, number>();
  private readonly pulse = setInterval(() => this.beat(), KEEP_ALIVE_MS).unref();
  private readonly named: ReadonlyMap<string, string>;
  private readonly isHttp: boolean;
  private closed = false;

  constructor(options: EndpointOptions, operations: Operations) {
    const capabilities = operations.capabilitiesOf(REVISION);
    const { resources } = capabilities;
    this.listeners = new Listeners({
      subscriptions: resources?.subscribe === true,
      lists: LIST_NAMES.filter((list) => capabilities[list]?.listChanged),
      resources: operations.resources,
      needsScopes: options.transport === 'http',
    });
    operations.onChange((list) => this.listeners.listChanged(list));
    this.table = statelessMethods(options, operations, this.listeners);
    this.named = namedParameters(operations.addedMethods(REVISION));
    this.endpoint = {
      results: new ResultWriter(options.server, operations.listCaching),
      codec: new RoundStateCodec(options.stateSecret),
      answerFault: operations.answerFault,
      ended: ({ reply }) => void this.running.delete(reply),
    };
    this.isHttp = options.transport === 'http';
  }

  /** @param message undefined if `body` is invalid */
  post(
    message: ClientMessage | undefined,
    body: unknown,
    caller: Caller,
    reply: Reply,
  ): void | Promise<void> {
    if (!message || message.kind === 'response') return reply.refuse(invalidBody(body));
    if (this.closed) return reply.refuse(SHUTTING_DOWN);
    const refusal = claimRefusal(message, this.claimOf(caller));
    if (refusal) return reply.refuse(refusal);
    // Notifications have no effect. To cancel a request, a client closes the connection.
    if (message.kind === 'notification') return reply.accept(202);
    return this.serve(message.message, caller, reply);
  }

  resourceUpdated(uri: string): void {
    this.listeners.resourceUpdated(uri);
  }

  /** @param limitMs maximum milliseconds to wait for running requests */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    this.listeners.close();
    await this.running.none(limitMs);
    clearInterval(this.pulse);
  }

  private serve(message: JsonRpcRequest, caller: Caller, reply: Reply): void | Promise<void> {
    const request = new StatelessRequest(message, caller, reply, this.endpoint);
    caller.watch?.from(request.client);
    this.running.set(reply, 0);
    return serveRequest(request, this.table);
  }

  /**
   * Sends keep-alive comments on streams that wait for a response. The first comment comes after at
   * least one period. Before that, the response may still become plain JSON, and a comment would
   * start a stream.
   */
  private beat(): void {
    for (const [reply, periods] of this.running) {
      this.running.set(reply, periods + 1);
      if (periods > 0) reply.keepAlive();
    }
  }

  private claimOf({ origin, via }: Caller): HttpClaim | undefined {
    return this.isHttp ? { headers: origin.headers, via, named: this.named } : undefined;
  }
}

function invalidBody(body: unknown) {
  const id = readableId(body);
  return id === undefined ? INVALID_BODY : { ...INVALID_BODY, id };
}
