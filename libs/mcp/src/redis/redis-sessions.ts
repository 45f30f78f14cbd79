import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type {
  McpClosedSession,
  McpEntrance,
  McpEntry,
  McpListening,
  McpSessionEnd,
  McpSessionEndpoint,
  McpSessionMessage,
  McpSessionStore,
  McpSharedSessions,
  McpStoredSession,
  McpStreamEvent,
} from '../options/session-store.js';
import { textOf } from './message.js';
import { readRedisOptions, type RedisSessionOptions } from './redis-options.js';
import { RedisProcess } from './redis-process.js';
import { listOf } from './scripts.js';
import { keyOf } from './process-activity.js';

/**
 * Stores the sessions of MCP clients in Redis, so any process of an application can serve any
 * session. Requires Redis 7 or Valkey.
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', sessions: { max: 1_000, store: redisSessions({ client: new Redis() }) } })
 * ```
 */
export function redisSessions(options: RedisSessionOptions): McpSessionStore {
  const { client, prefix } = readRedisOptions(options, 'redisSessions');
  return {
    connect: async (endpoint) => {
      const here = new RedisProcess(client, `{${prefix}:${endpoint.path}}`, endpoint);
      await here.start();
      return new RedisSessions(here, endpoint);
    },
  };
}

class RedisSessions implements McpSharedSessions {
  constructor(
    private readonly here: RedisProcess,
    private readonly endpoint: McpSessionEndpoint,
  ) {}

  get process(): string {
    return this.here.id;
  }

  get size(): number {
    return this.here.size;
  }

  async open(
    { id, principal, client, revision, httpVersion }: McpStoredSession,
    request: string | number,
    replaced = '',
  ): Promise<number | undefined> {
    const { max, reclaimAfterMs } = this.endpoint;
    const key = keyOf(request);
    this.here.activity.begin(id, key);
    const args = [id, this.here.id, key, replaced, principal, client, revision, httpVersion];
    const { wait } = await this.here.use(id, key, 'open', [...args, max, reclaimAfterMs]);
    if (typeof wait !== 'number') {
      this.here.size += 1;
      return undefined;
    }
    this.here.activity.end(id, key);
    return wait;
  }

  async enter(
    id: string,
    principal: string,
    { request, stream = '', withClient }: McpEntrance,
  ): Promise<McpEntry> {
    const key = request === undefined ? '' : keyOf(request);
    if (key !== '') this.here.activity.begin(id, key);
    const named = JSON.stringify(request ?? null);
    const args = [id, this.here.id, key, principal, withClient ? 1 : 0, stream, named];
    const entry = (await this.here.use(id, key, 'enter', args)) as unknown as McpEntry;
    if (key !== '' && entry.kind !== 'entered') this.here.activity.end(id, key);
    return entry;
  }

  leave(id: string, request: string | number): void {
    const key = keyOf(request);
    this.here.activity.end(id, key);
    this.here.later('leave', id, this.here.id, key);
  }

  async processOf(id: string, request: string | number): Promise<string | undefined> {
    const { process } = await this.here.run('find', id, keyOf(request));
    return process as string | undefined;
  }

  async listen(id: string, after?: number): Promise<McpListening | undefined> {
    const state = await this.here.run('listen', id, this.here.id, after ?? '', mainStreamOf(id));
    const { seq, missed } = state;
    if (typeof seq !== 'number') return undefined;
    // If `after` is higher than the last event, the script did not open the stream.
    if (after === undefined || after <= seq) this.here.activity.listens(id);
    return { seq, missed: listOf(missed) };
  }

  unlisten(id: string): void {
    this.here.activity.unlistens(id);
    this.here.later('unlisten', id, this.here.id);
  }

  async setLogLevel(id: string, level: string): Promise<void> {
    await this.here.run('setLogLevel', id, level);
  }

  async subscribe(id: string, uri: string, most: number): Promise<boolean> {
    const { subscribed } = await this.here.run('subscribe', id, digestOf(uri), most);
    return subscribed === true;
  }

  async unsubscribe(id: string, uri: string): Promise<void> {
    await this.here.run('unsubscribe', id, digestOf(uri));
  }

  async publish(uri: string, json: string): Promise<void> {
    await this.here.run('publish', digestOf(uri), json);
  }

  send(process: string, id: string, message: McpSessionMessage): Promise<boolean> {
    return this.here.send(process, textOf({ id, message }));
  }

  async end(id: string, why: McpSessionEnd): Promise<McpClosedSession | undefined> {
    const { dropped } = await this.here.connection.run('end', id, why);
    const [session] = (dropped ?? []) as McpClosedSession[];
    if (session) this.here.size -= 1;
    return session;
  }

  append(id: string, { stream, seq, json, last }: McpStreamEvent): void {
    this.here.later('append', id, stream, seq, last ? 1 : 0, json);
  }

  async resume(
    id: string,
    stream: string,
    after: number,
  ): Promise<readonly McpStreamEvent[] | undefined> {
    const take = () => this.here.run('resume', id, this.here.id, stream, after);
    let taken = await take();
    // The event may not be in Redis yet: the process that runs the request does not wait for Redis.
    for (let tries = 0; taken['running'] === true && tries < ARRIVAL_TRIES; tries += 1) {
      await setTimeout(ARRIVAL_MS);
      taken = await take();
    }
    const { events } = taken;
    return events === undefined ? undefined : listOf(events);
  }

  close(): Promise<void> {
    return this.here.close();
  }
}

/**
 * Number of attempts to find an event that may not be in Redis yet, and milliseconds between two
 * attempts.
 */
const ARRIVAL_TRIES = 5;
const ARRIVAL_MS = 100;

function digestOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url');
}

function mainStreamOf(id: string): string {
  return createHash('sha1').update(id).digest('hex').slice(0, 16);
}
