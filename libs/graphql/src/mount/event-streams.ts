import type { RequestContext } from '@fledge/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { OperationResult } from '../http/runtime.js';
import { type Admission, Client, type OperationSource, setValues } from '../live/admission.js';
import type { RunningOperation } from '../live/running-operation.js';
import { asGraphqlError, codedError } from '../operation/formatted-error.js';
import { untilClosed } from '../live/close-connections.js';

let streams = 0;

/**
 * Serves subscriptions over HTTP, as event streams. They have the same limits, signal and counts as
 * subscriptions of sockets.
 */
export class EventStreams {
  private readonly running = new Map<RunningOperation, ServerResponse>();
  /** The clients with running streams or waiting generators, by their identifying key. */
  private readonly clients = new Map<string, Client>();
  private readonly responses = new Set<ServerResponse>();
  private closing = false;

  /** @param before a function that runs openers and context decorators in a context */
  constructor(
    private readonly admission: Admission,
    private readonly before: (ctx: RequestContext) => void | Promise<void>,
  ) {}

  /**
   * Runs `subscribe` of graphql-js or of a runtime. Errors become a result with `errors`; the
   * promise does not reject.
   */
  async subscribe(
    req: IncomingMessage,
    res: ServerResponse,
    subscribe: () => OperationResult | Promise<OperationResult>,
  ): Promise<OperationResult> {
    this.follow(res);
    try {
      const context = this.admission.contexts.ofRequest(req, res);
      const result = await this.admission.begin(this.sourceOf(context, req), async (operation) => {
        if (this.closing || res.destroyed) operation.end();
        operation.refuseEnded();
        this.running.set(operation, res);
        res.once('close', () => operation.end());
        await this.admit(operation, req, context);
        return operation.run(subscribe);
      });
      return Array.isArray(result) ? { errors: result } : result;
    } catch (error) {
      return { errors: [asGraphqlError(error)] };
    }
  }

  /**
   * Tracks a response that is or may become an event stream. Runtimes may send event streams without
   * `subscribe`.
   */
  follow(res: ServerResponse): void {
    this.responses.add(res);
    res.once('close', () => this.responses.delete(res));
  }

  /**
   * Ends all streams with a last event, because a closing server waits for open responses. Resolves
   * when all clients have disconnected, or after the grace period. A response that has not begun
   * may still become an event stream, so such responses are checked again later.
   */
  async stop(): Promise<void> {
    this.closing = true;
    const open = [...this.running.values()];
    for (const operation of [...this.running.keys()]) operation.end();
    await untilClosed(open, this.admission.limits.gracePeriodMs, (res) => res.destroy());
    const cut = () => {
      for (const response of this.responses) if (isStreaming(response)) response.destroy();
      if (this.responses.size > 0) setTimeout(cut, LOOK_AGAIN_MS).unref();
    };
    cut();
  }

  /** Runs inside the context of the request. Openers and context decorators have already run. */
  private admit(operation: RunningOperation, req: IncomingMessage, context: GraphqlContext) {
    const values = new Map<string, unknown>();
    return this.admission.admit(operation, 'subscription', {
      context,
      check: async () => {
        if (await this.admission.accepts({}, context, values)) return;
        throw codedError('Forbidden', 'FORBIDDEN');
      },
      reopen: () => this.admission.contexts.ofOperation(req, {}, []),
      recheck: async ({ ctx }) => {
        await this.before(ctx);
        setValues(ctx, values);
      },
    });
  }

  private sourceOf({ req }: GraphqlContext, raw: IncomingMessage): OperationSource {
    const { headers, ip } = req;
    // The client address that the platform determines, according to its proxy settings. A direct
    // operation did not pass the platform, and a runtime may choose an event stream for it.
    const address = typeof ip === 'string' ? ip : this.admission.contexts.addressOf(raw).ip;
    const { 'x-forwarded-for': forwarded, authorization, cookie } = headers;
    // The streams of one client have different connections, so these headers identify the client.
    // But clients can change their headers. So `Places` counts only by address.
    const key = JSON.stringify([address, forwarded, authorization, cookie]);
    const client = this.clients.get(key) ?? new Client(address);
    this.clients.set(key, client);
    return {
      transport: 'event-stream',
      connection: `stream ${(streams += 1)}`,
      client,
      ended: (operation) => this.running.delete(operation),
      idle: () => this.clients.delete(key),
    };
  }
}

/**
 * Milliseconds between two searches for responses that became streams while the application closes.
 */
const LOOK_AGAIN_MS = 50;

/**
 * Returns true if part of the response was sent. Responses that are not streams are sent in one
 * piece.
 */
function isStreaming(response: ServerResponse): boolean {
  return response.headersSent && !response.writableEnded;
}
