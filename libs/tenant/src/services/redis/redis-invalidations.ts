import { randomUUID } from 'node:crypto';
import {
  isObject,
  kind,
  type OptionTable,
  type ReadOptions,
  readOptions,
  text,
} from '@fledge-internal/options';
import { RareWarnings, resolvesWithin } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { placeOf } from '../../option-rules.js';
import type { TenantInvalidationReceiver, TenantInvalidations } from '../../tenant.options.js';

export interface RedisInvalidationOptions {
  /**
   * Redis client that sends messages. A duplicate of the client receives messages. The application
   * closes the client.
   */
  readonly client: Redis;
  /**
   * Channel that all processes of the application share. The `keyPrefix` of the client does not
   * apply.
   * @default 'fledge:tenant:invalidations'
   */
  readonly channel?: string;
}

const OPTIONS = {
  client: kind<Redis>(
    'a client of ioredis, such as new Redis()',
    (value) => isObject(value) && typeof value['duplicate'] === 'function',
  ).required,
  channel: text.default('fledge:tenant:invalidations'),
} satisfies OptionTable<RedisInvalidationOptions>;

/**
 * Sends `tenancy.invalidate()` to the other processes through Redis publish/subscribe. Redis does
 * not store these messages. After a connection was lost, a process therefore clears its cache and
 * sends failed messages again.
 *
 * @example
 * ```ts
 * TenantModule.forRoot({ strategy: 'header', invalidations: redisInvalidations({ client: new Redis() }) })
 * ```
 * @throws TenantOptionError
 */
export function redisInvalidations(options: RedisInvalidationOptions): TenantInvalidations {
  return new RedisInvalidations(readOptions(options, OPTIONS, placeOf('redisInvalidations')));
}

class RedisInvalidations implements TenantInvalidations {
  private readonly self = randomUUID();
  private readonly client: Redis;
  private readonly channel: string;
  /** Tenants with a message that Redis has not confirmed. */
  private readonly unsent = new Set<string>();
  /** Applications of this process that share this object. They also share the connection. */
  private readonly receivers = new Set<TenantInvalidationReceiver>();
  private applications = 0;
  /** Resolves after the first subscription. */
  private subscribed: Promise<void> | undefined;
  private subscriber: Redis | undefined;
  /** Number of rejected subscriptions since the last success. */
  private rejections = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  /** Limits the number of warnings. Otherwise, a sender of invalid messages could fill the log. */
  private readonly warnings = new RareWarnings(logger);
  private ignored = 0;

  constructor({ client, channel }: ReadOptions<typeof OPTIONS>) {
    this.client = client;
    this.channel = channel;
  }

  /** Waits for Redis for at most one second. The application must also start without Redis. */
  async start(receiver: TenantInvalidationReceiver): Promise<void> {
    this.receivers.add(receiver);
    this.applications += 1;
    this.subscribed ??= this.open();
    if (await resolvesWithin(this.subscribed, BOOT_WAIT_MS)) return;
    this.warn(
      'Redis did not respond at startup. Tenant changes from other processes arrive as soon as ' +
        'Redis responds.',
    );
  }

  private open(): Promise<void> {
    const subscriber = (this.subscriber = this.client.duplicate({
      autoResubscribe: false,
      lazyConnect: false,
      maxRetriesPerRequest: null,
      // Overrides the client's retry strategy. Without a retry, the process would miss all later
      // changes.
      retryStrategy: (times: number) => Math.min(times * 100, 500),
      reconnectOnError: null,
    }));
    subscriber.on('error', (error: Error) =>
      this.warn(`Redis is not available: ${error.message}.`),
    );
    subscriber.on('message', (_: string, text: string) => this.receive(text));
    this.client.on('ready', this.sendAll);
    this.heartbeat = setInterval(() => void this.beat(subscriber), HEARTBEAT_MS).unref();
    return new Promise((resolve) => {
      subscriber.on('ready', () => {
        subscriber.subscribe(this.channel).then(
          () => {
            this.rejections = 0;
            // Messages from the time before this subscription are lost, even before the first
            // subscription.
            for (const receiver of this.receivers) receiver.missed();
            this.sendAll();
            resolve();
          },
          (error: unknown) => this.retry(subscriber, error),
        );
      });
    });
  }

  /** Reconnects after a pause, because a missing permission stays missing. */
  private retry(subscriber: Redis, error: unknown): void {
    // After a lost connection, ioredis connects again.
    if (subscriber.status !== 'ready') return;
    this.warn(
      `Redis rejected the subscription to the channel "${this.channel}": ${String(error)}. Until ` +
        `Redis accepts it, tenant changes from other processes arrive after cache.ttlMs.` +
        this.permissionFor(error),
    );
    const pause = Math.min(RETRY_MS * 2 ** this.rejections, MAX_RETRY_MS);
    this.rejections += 1;
    const timer = setTimeout(() => subscriber.disconnect(true), pause).unref();
    subscriber.once('close', () => clearTimeout(timer));
  }

  /** Returns the fix if the Redis user lacks a permission. */
  private permissionFor(error: unknown): string {
    if (!String(error).includes('NOPERM')) return '';
    const user = this.client.options.username ?? 'default';
    return ` Run in Redis: ACL SETUSER ${user} +subscribe +publish &${this.channel}`;
  }

  send(tenantId: string): void {
    // The other applications of this process ignore the message, because they have the same name.
    // A single application has already dropped the tenant.
    if (this.receivers.size > 1) {
      for (const receiver of this.receivers) receiver.changed(tenantId);
    }
    this.unsent.add(tenantId);
    void this.publish(tenantId);
  }

  stop(): void {
    this.applications -= 1;
    if (this.applications > 0) return;
    this.receivers.clear();
    clearInterval(this.heartbeat);
    this.client.off('ready', this.sendAll);
    this.subscriber?.disconnect();
    this.subscribed = undefined;
  }

  private readonly sendAll = (): void => {
    for (const tenantId of this.unsent) void this.publish(tenantId);
  };

  private async publish(tenant: string): Promise<void> {
    try {
      await this.client.publish(this.channel, textOf({ from: this.self, tenant }));
      this.unsent.delete(tenant);
    } catch (error) {
      this.unsent.add(tenant);
      this.warn(
        `A tenant change could not be published to Redis and will be sent again: ${String(error)}.` +
          this.permissionFor(error),
      );
    }
  }

  private receive(text: string): void {
    const message = messageIn(text);
    if (message === undefined) {
      this.ignored += 1;
      this.warn(`Invalid messages on the channel "${this.channel}" were ignored: ${this.ignored}.`);
      return;
    }
    if (message.from === this.self) return;
    for (const receiver of this.receivers) receiver.changed(message.tenant);
  }

  /** Connections can fail silently. A new connection clears the cache. */
  private async beat(subscriber: Redis): Promise<void> {
    if (subscriber.status !== 'ready') return;
    const answered = subscriber.ping().catch(() => undefined);
    if (!(await resolvesWithin(answered, ANSWER_MS))) subscriber.disconnect(true);
  }

  private warn(text: string): void {
    this.warnings.warn(() => text);
  }
}

const BOOT_WAIT_MS = 1_000;
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 2_000;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const logger = new Logger('TenantInvalidations');

interface InvalidationMessage {
  /** Name of the sending process. */
  readonly from: string;
  /** The tenant's id or one of its identifiers. */
  readonly tenant: string;
}

const VERSION = 1;
const LONGEST = 2_048;

function textOf({ from, tenant }: InvalidationMessage): string {
  return JSON.stringify({ v: VERSION, from, tenant });
}

/** Undefined if invalid. Any Redis client with access to the channel can send messages. */
function messageIn(text: string): InvalidationMessage | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    const { v, from, tenant } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (v !== VERSION || !isName(from) || !isName(tenant)) return undefined;
    return { from, tenant };
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
