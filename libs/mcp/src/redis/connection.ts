import { RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';

/** Milliseconds after which a command without a reply is considered lost. */
const REPLY_MS = 2_000;
/** Milliseconds until a subscription that Redis rejected is sent again. */
const RESUBSCRIBE_MS = 2_000;
const logger = new Logger('McpRedis');

/**
 * Options of all connections. If Redis is unavailable, a command fails immediately and is not
 * retried. Otherwise commands would queue up, and a script could run after the client received an
 * error.
 */
export const CONNECTION_OPTIONS: Partial<RedisOptions> = {
  // `readRedisOptions()` has added the prefix of the client.
  keyPrefix: '',
  lazyConnect: true,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: REPLY_MS,
  connectTimeout: REPLY_MS,
  retryStrategy: (times) => Math.min(times * 100, 500),
  reconnectOnError: null,
};

type Run = (...args: (string | number)[]) => Promise<string>;

/** The scripts of an endpoint's connections, and the arguments of these scripts. */
export interface Purpose<Script extends string> {
  /** Feature that does not work while Redis is unavailable. Shown in warnings. */
  readonly what: 'sessions' | 'tasks';
  /** Lua scripts by name. `KEYS[1]` of a script is the base key. Each script returns JSON. */
  readonly scripts: Readonly<Record<Script, string>>;
  /** Arguments that every script receives before the script's own arguments. */
  readonly limits: readonly number[];
}

/** Two Redis connections of one endpoint: one runs scripts, the other subscribes to channels. */
export class Connection<Script extends string> {
  private readonly commands: Redis;
  private readonly subscriber: Redis;
  private readonly warnings = new RareWarnings(logger);

  /**
   * @param base the key that the scripts receive. The same string is also a channel to which every
   * process subscribes
   */
  constructor(
    client: Redis,
    private readonly base: string,
    private readonly purpose: Purpose<Script>,
  ) {
    this.commands = client.duplicate(CONNECTION_OPTIONS);
    this.subscriber = client.duplicate(CONNECTION_OPTIONS);
    for (const [name, lua] of Object.entries<string>(purpose.scripts)) {
      this.commands.defineCommand(commandOf(name), { lua, numberOfKeys: 1 });
    }
    for (const connection of [this.commands, this.subscriber]) {
      connection.on('error', (error: Error) => this.warn(error.message));
    }
  }

  /**
   * Connects, and reconnects whenever a connection is lost.
   * @param channels additional channels. The channel `base` is always subscribed
   * @param ready called after each connect and reconnect, when both connections work
   */
  open(channels: readonly string[], receive: (text: string) => void, ready: () => void): void {
    const { commands, subscriber } = this;
    let subscribed = false;
    const report = () => {
      if (subscribed && commands.status === 'ready') ready();
    };
    const subscribe = () => {
      if (subscriber.status !== 'ready') return;
      subscriber.subscribe(this.base, ...channels).then(
        () => {
          subscribed = true;
          report();
        },
        (error: Error) => {
          // The connection works, so a new connection would get the same error.
          if (error.name !== 'ReplyError') return subscriber.disconnect(true);
          this.warnOfRejection(error);
          setTimeout(subscribe, RESUBSCRIBE_MS).unref();
        },
      );
    };
    subscriber.on('message', (_: string, text: string) => receive(text));
    subscriber.on('close', () => (subscribed = false));
    subscriber.on('ready', subscribe);
    commands.on('ready', report);
    for (const connection of [commands, subscriber]) connection.connect().catch(() => undefined);
  }

  /** Runs a script. Rejects if Redis is unavailable, or if Redis does not reply in time. */
  async run(name: Script, ...args: (string | number)[]): Promise<Record<string, unknown>> {
    const script = (this.commands as unknown as Record<string, Run>)[commandOf(name)] as Run;
    const json = await script.call(this.commands, this.base, ...this.purpose.limits, ...args);
    return JSON.parse(json) as Record<string, unknown>;
  }

  /** Returns the fields of a hash. Returns `{}` if the key does not exist. */
  fields(key: string): Promise<Record<string, string>> {
    return this.commands.hgetall(key);
  }

  /** @returns the number of processes that received the message */
  publish(channel: string, text: string): Promise<number> {
    return this.commands.publish(channel, text);
  }

  /** Reconnects if the subscriber seems connected, but no longer receives replies. */
  async probe(): Promise<void> {
    if (this.subscriber.status !== 'ready') return;
    await this.subscriber.ping().catch(() => this.subscriber.disconnect(true));
  }

  close(): void {
    this.commands.disconnect();
    this.subscriber.disconnect();
  }

  private warnOfRejection({ message }: Error): void {
    const { what } = this.purpose;
    const fix = message.startsWith('NOPERM')
      ? `. Allow the channels for the user of the client: ACL SETUSER <user> &${this.base}*`
      : '';
    this.warnings.warn(
      () =>
        `Redis rejected the subscription for ${what}, so this process receives no messages from ` +
        `other processes: ${message}${fix}`,
    );
  }

  /** Logs at most one warning in ten seconds. */
  warn(reason: string): void {
    const { what } = this.purpose;
    this.warnings.warn(() =>
      reason.startsWith('ReplyError')
        ? `Redis rejected a command, so requests that need ${what} are rejected: ${reason}`
        : `Redis is not available. Until Redis is available, requests that need ${what} are rejected: ${reason}`,
    );
  }
}

function commandOf(name: string): string {
  return `fledgeMcp_${name}`;
}
