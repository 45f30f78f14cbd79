import {
  ErrorCode,
  type JsonObject,
  RequestFault,
  type RequestId,
} from '../../protocol/json-rpc.js';
import type { Reply } from '../../protocol/reply.js';
import type { MethodAnswer } from '../../methods/answer.js';
import type { ListName } from '../../methods/local-items.js';
import { isRecord, objectOf } from '../../../publish/schema/json-schema.js';
import type { StatelessRequest } from './stateless-request.js';

const MOST_LISTENERS = 1_024;
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

interface Listener {
  readonly id: RequestId;
  readonly reply: Reply;
  readonly uris: ReadonlySet<string>;
  readonly lists: readonly ListName[];
  /** Ends the stream. The last message of the stream is the response. */
  end(): void;
}

/** The clients that listen for changes with `subscriptions/listen` (MCP 2026-07-28). */
export class Listeners {
  private readonly open = new Set<Listener>();

  /** @param changing things that clients can listen for */
  constructor(
    private readonly changing: {
      readonly subscriptions: boolean;
      readonly lists: readonly ListName[];
    },
  ) {}

  /**
   * Confirms a subscription. The promise resolves when the subscription ends.
   * @throws RequestFault if the filter is invalid, or if there are too many subscriptions
   */
  async listen({ id, params, caller, reply }: StatelessRequest): Promise<MethodAnswer> {
    const filter = params['notifications'];
    const uris = subscribedUris(filter);
    if (this.open.size >= MOST_LISTENERS) {
      throw new RequestFault(ErrorCode.InternalError, 'Subscription limit reached');
    }
    const heard = this.changing.subscriptions ? uris : [];
    const lists = this.changing.lists.filter((list) => objectOf(filter)[`${list}ListChanged`]);
    const notifications = {
      ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
      ...(heard.length > 0 && { resourceSubscriptions: heard }),
    };
    const json = noteJson(id, 'notifications/subscriptions/acknowledged', { notifications });
    // Ends the call for observers now. The response is sent only when the subscription ends, which
    // may take days.
    await caller.watch?.end({ outcome: 'ok', bytes: Buffer.byteLength(json) });
    reply.push(json);
    if (heard.length + lists.length > 0) {
      await this.ended({ id, reply, uris: new Set(heard), lists });
    }
    return { kind: 'result', result: { _meta: { [SUBSCRIPTION_KEY]: id } } };
  }

  resourceUpdated(uri: string): void {
    for (const { id, reply, uris } of this.open) {
      if (uris.has(uri)) reply.push(noteJson(id, 'notifications/resources/updated', { uri }));
    }
  }

  listChanged(list: ListName): void {
    for (const { id, reply, lists } of this.open) {
      if (lists.includes(list)) reply.push(noteJson(id, `notifications/${list}/list_changed`, {}));
    }
  }

  close(): void {
    for (const listener of this.open) listener.end();
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
  if (!isRecord(filter)) throw invalidFilter();
  const { resourceSubscriptions: uris = [] } = filter;
  const hasFlags = FLAGS.every((flag) => ['undefined', 'boolean'].includes(typeof filter[flag]));
  if (!hasFlags || !Array.isArray(uris)) throw invalidFilter();
  if (!uris.every((uri) => typeof uri === 'string')) throw invalidFilter();
  return uris as readonly string[];
}

function invalidFilter(): RequestFault {
  return new RequestFault(
    ErrorCode.InvalidParams,
    "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter",
  );
}
