import type { Caller } from '../../call/caller.js';
import type { EndpointOptions } from '../../../mcp.defaults.js';
import { type ClientMessage, type JsonRpcRequest, readableId } from '../../protocol/json-rpc.js';
import { KeepAlive } from '../../protocol/keep-alive.js';
import { RunningRequests } from '../../protocol/running-requests.js';
import { INVALID_BODY, SHUTTING_DOWN } from '../../protocol/refusals.js';
import type { Reply } from '../../protocol/reply.js';
import { LIST_NAMES } from '../../methods/local-items.js';
import type { Operations } from '../../methods/operations.js';
import { type MethodTable, serveRequest } from '../../methods/serve-request.js';
import { claimRefusal, type HttpClaim, namedParameters } from './claim-check.js';
import { REVISION } from './envelope.js';
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
  private readonly requests = new RunningRequests();
  private readonly keepAlive = new KeepAlive();
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
      answerFault: operations.answerCheck(),
      ended: ({ reply }) => {
        this.keepAlive.delete(reply);
        this.requests.end();
      },
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
    await this.requests.none(limitMs);
    this.keepAlive.stop();
  }

  private serve(message: JsonRpcRequest, caller: Caller, reply: Reply): void | Promise<void> {
    const request = new StatelessRequest(message, caller, reply, this.endpoint);
    caller.watch?.from(request.client);
    this.keepAlive.add(reply);
    this.requests.begin();
    return serveRequest(request, this.table);
  }

  private claimOf({ origin, via }: Caller): HttpClaim | undefined {
    return this.isHttp ? { headers: origin.headers, via, named: this.named } : undefined;
  }
}

function invalidBody(body: unknown) {
  const id = readableId(body);
  return id === undefined ? INVALID_BODY : { ...INVALID_BODY, id };
}
