import { isObject, objectOf } from '@fledge-internal/options';
import {
  ErrorCode,
  type JsonObject,
  RequestFault,
  type RequestId,
} from '../../protocol/json-rpc.js';
import type { Reply } from '../../protocol/reply.js';
import type { Caller } from '../../call/caller.js';
import type { MethodAnswer } from '../../methods/answer.js';
import { hasScopes, requiredScopes } from '../../methods/client-request.js';
import type { ListName } from '../../methods/local-items.js';
import type { Operations } from '../../methods/operations.js';
import type { StatelessRequest } from './stateless-request.js';

const MOST_LISTENERS = 1_024;
const MOST_URIS = 1_000;
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

interface Listener {
  readonly id: RequestId;
  readonly reply: Reply;
  readonly uris: ReadonlySet<string>;
  readonly lists: readonly ListName[];
  /** Ends the stream. The last message of the stream is the response. */
  end(): void;
}

/** The things that clients can listen for, and the checks of callers. */
interface ListenerOptions {
  /** True if clients can listen for changes of resources. */
  readonly subscriptions: boolean;
  /** The lists that can change. */
  readonly lists: readonly ListName[];
  readonly resources: Pick<Operations['resources'], 'find'>;
  /** True if a caller needs the scopes of a resource. */
  readonly needsScopes: boolean;
}

/** The clients that listen for changes with `subscriptions/listen` (MCP 2026-07-28). */
export class Listeners {
  private readonly open = new Set<Listener>();
  private closed = false;

  constructor(private readonly options: ListenerOptions) {}

  /**
   * Confirms a subscription. URIs that the caller may not read are left out. The promise resolves
   * when the subscription ends.
   * @throws RequestFault if the filter is invalid, or if there are too many subscriptions
   */
  async listen({ id, params, caller, reply }: StatelessRequest): Promise<MethodAnswer> {
    const filter = params['notifications'];
    const heard = await this.audible(subscribedUris(filter), caller);
    if (this.open.size >= MOST_LISTENERS) {
      throw new RequestFault(ErrorCode.InternalError, 'Subscription limit reached');
    }
    const lists = this.options.lists.filter((list) => objectOf(filter)[`${list}ListChanged`]);
    const notifications = {
      ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
      ...(heard.length > 0 && { resourceSubscriptions: heard }),
    };
    const json = noteJson(id, 'notifications/subscriptions/acknowledged', { notifications });
    // Ends the call for observers now. The response is sent only when the subscription ends, which
    // may take days.
    await caller.watch?.end({ outcome: 'ok', bytes: Buffer.byteLength(json) });
    reply.push(json);
    // The client may have disconnected, or the server may have closed, while `visible` ran.
    if (reply.isOpen && !this.closed && heard.length + lists.length > 0) {
      await this.ended({ id, reply, uris: new Set(heard), lists });
    }
    return { kind: 'result', result: { _meta: { [SUBSCRIPTION_KEY]: id } } };
  }

  resourceUpdated(uri: string): void {
    for (const { id, reply, uris } of this.open) {
      if (uris.has(uri)) reply.pushOnce(noteJson(id, 'notifications/resources/updated', { uri }));
    }
  }

  listChanged(list: ListName): void {
    for (const { id, reply, lists } of this.open) {
      if (lists.includes(list))
        reply.pushOnce(noteJson(id, `notifications/${list}/list_changed`, {}));
    }
  }

  close(): void {
    this.closed = true;
    for (const listener of this.open) listener.end();
  }

  /** Returns the URIs of the resources that the caller may read. */
  private async audible(uris: readonly string[], caller: Caller): Promise<readonly string[]> {
    const { subscriptions, resources, needsScopes } = this.options;
    const heard: string[] = [];
    if (!subscriptions) return heard;
    for (const uri of new Set(uris)) {
      const target = await resources.find(uri, caller);
      if (target?.kind !== 'resource') continue;
      if (!needsScopes || hasScopes(caller.principal, requiredScopes(target))) heard.push(uri);
    }
    return heard;
  }

  /** Resolves when the client or the server has ended a subscription. */
  private ended(subscription: Omit<Listener, 'end'>): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.open.delete(listener);
        resolve();
      };
      const listener = { ...subscription, end };
      this.open.add(listener);
      subscription.reply.onceClosed(end);
    });
  }
}

function noteJson(id: RequestId, method: string, params: JsonObject): string {
  const _meta = { [SUBSCRIPTION_KEY]: id };
  return JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } });
}

const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'];

/** @throws RequestFault if the filter is invalid */
function subscribedUris(filter: unknown): readonly string[] {
  if (!isObject(filter)) throw invalidFilter();
  const { resourceSubscriptions: uris = [] } = filter;
  const hasFlags = FLAGS.every((flag) => ['undefined', 'boolean'].includes(typeof filter[flag]));
  if (!hasFlags || !Array.isArray(uris)) throw invalidFilter();
  if (!uris.every((uri) => typeof uri === 'string')) throw invalidFilter();
  if (uris.length <= MOST_URIS) return uris as readonly string[];
  throw new RequestFault(
    ErrorCode.Refused,
    `A request can subscribe to at most ${MOST_URIS} resources. Send several requests`,
  );
}

function invalidFilter(): RequestFault {
  return new RequestFault(
    ErrorCode.InvalidParams,
    "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter",
  );
}
