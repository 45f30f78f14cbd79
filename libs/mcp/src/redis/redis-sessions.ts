import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
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
import { Connection } from './connection.js';
import { messageIn, textOf } from './message.js';
import { type ScriptName, SCRIPTS } from './scripts.js';
import { keyOf, Uses } from './uses.js';

export interface RedisSessionOptions {
  /**
   * Its duplicates connect, two for each endpoint; it sends nothing itself. The application closes it. A client that
   * is made with `lazyConnect: true` needs no connection of its own.
   */
  readonly client: Redis;
  /** Start of the names of keys and channels. Applications on one Redis need different ones. @default 'fledge:mcp' */
  readonly prefix?: string;
}

/**
 * Keeps the sessions of MCP clients in Redis, so that any process of an application serves any session. Needs Redis
 * 7 or Valkey.
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', sessions: { max: 1_000, store: redisSessions({ client: new Redis() }) } })
 * ```
 */
export function redisSessions({
  client,
  prefix = 'fledge:mcp',
}: RedisSessionOptions): McpSessionStore {
  return {
    connect: async (endpoint) => {
      const sessions = new RedisSessions(client, `{${prefix}:${endpoint.path}}`, endpoint);
      await sessions.start();
      return sessions;
    },
  };
}

/** Time between two heartbeats. A process without any for ten seconds counts as ended. */
const BEAT_MS = 2_000;
const BOOT_WAIT_MS = 1_000;

class RedisSessions implements McpSharedSessions {
  readonly process = randomBytes(9).toString('base64url');
  size = 0;
  private readonly connection: Connection<ScriptName>;
  private readonly uses = new Uses();
  private heart: NodeJS.Timeout | undefined;
  /** True while Redis may take a request for running, or for over, that is not. */
  private differs = false;
  private isClosed = false;

  constructor(
    client: Redis,
    private readonly base: string,
    private readonly endpoint: McpSessionEndpoint,
  ) {
    const { idleTimeoutMs, resume } = endpoint;
    const { maxEvents = 0, maxBytes = 0, keepMs = 0 } = resume ?? {};
    const limits = [idleTimeoutMs, maxEvents, maxBytes, keepMs];
    this.connection = new Connection(client, base, { what: 'sessions', scripts: SCRIPTS, limits });
  }

  /** Waits for Redis for a second at most: the application also starts without it. */
  async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, BOOT_WAIT_MS);
      const ready = () => void this.reconcile().then(() => resolve());
      this.connection.open([this.channelOf(this.process)], (text) => this.receive(text), ready);
    });
    clearTimeout(timer);
    this.heart = setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  async open(
    { id, principal, client, revision, httpVersion }: McpStoredSession,
    request: string | number,
    replaced = '',
  ): Promise<number | undefined> {
    const { max, reclaimAfterMs } = this.endpoint;
    const key = keyOf(request);
    this.uses.begin(id, key);
    const args = [id, this.process, key, replaced, principal, client, revision, httpVersion];
    const { wait } = await this.used(id, key, 'open', [...args, max, reclaimAfterMs]);
    if (typeof wait !== 'number') {
      this.size += 1;
      return undefined;
    }
    this.uses.end(id, key);
    return wait;
  }

  async enter(
    id: string,
    principal: string,
    { request, stream = '', withClient }: McpEntrance,
  ): Promise<McpEntry> {
    const key = request === undefined ? '' : keyOf(request);
    if (key !== '') this.uses.begin(id, key);
    const named = JSON.stringify(request ?? null);
    const args = [id, this.process, key, principal, withClient ? 1 : 0, stream, named];
    const entry = (await this.used(id, key, 'enter', args)) as unknown as McpEntry;
    if (key !== '' && entry.kind !== 'entered') this.uses.end(id, key);
    return entry;
  }

  leave(id: string, request: string | number): void {
    const key = keyOf(request);
    this.uses.end(id, key);
    this.later('leave', id, this.process, key);
  }

  async processOf(id: string, request: string | number): Promise<string | undefined> {
    const { process } = await this.run('find', id, keyOf(request));
    return process as string | undefined;
  }

  async listen(id: string, after?: number): Promise<McpListening | undefined> {
    const state = await this.run('listen', id, this.process, after ?? '', mainStreamOf(id));
    const { seq, missed } = state;
    if (typeof seq !== 'number') return undefined;
    this.uses.listens(id);
    return { seq, missed: listOf(missed) };
  }

  unlisten(id: string): void {
    this.uses.unlistens(id);
    this.later('unlisten', id, this.process);
  }

  async setLogLevel(id: string, level: string): Promise<void> {
    await this.run('setLogLevel', id, level);
  }

  async subscribe(id: string, uri: string, most: number): Promise<boolean> {
    const { subscribed } = await this.run('subscribe', id, digestOf(uri), most);
    return subscribed === true;
  }

  async unsubscribe(id: string, uri: string): Promise<void> {
    await this.run('unsubscribe', id, digestOf(uri));
  }

  async publish(uri: string, json: string): Promise<void> {
    await this.run('publish', digestOf(uri), json);
  }

  async send(process: string, id: string, message: McpSessionMessage): Promise<boolean> {
    const text = textOf({ id, message });
    return (await this.connection.publish(this.channelOf(process), text)) > 0;
  }

  async end(id: string, why: McpSessionEnd): Promise<McpClosedSession | undefined> {
    const { dropped } = await this.connection.run('end', id, why);
    const [session] = (dropped ?? []) as McpClosedSession[];
    if (session) this.size -= 1;
    return session;
  }

  append(id: string, { stream, seq, json, last }: McpStreamEvent): void {
    this.later('append', id, stream, seq, last ? 1 : 0, json);
  }

  async resume(
    id: string,
    stream: string,
    after: number,
  ): Promise<readonly McpStreamEvent[] | undefined> {
    const { events } = await this.run('resume', id, this.process, stream, after);
    return events === undefined ? undefined : listOf(events);
  }

  async close(): Promise<void> {
    clearInterval(this.heart);
    try {
      while ((await this.run('depart', this.process))['left'] === 1);
    } catch (error) {
      this.connection.warn(String(error));
    }
    this.isClosed = true;
    this.connection.close();
  }

  /** Runs a script that begins to use a session. If its reply is lost, what is used is sent to Redis later. */
  private async used(
    id: string,
    key: string,
    name: ScriptName,
    args: (string | number)[],
  ): Promise<Record<string, unknown>> {
    try {
      return await this.run(name, ...args);
    } catch (error) {
      this.differs = true;
      if (key !== '') this.uses.end(id, key);
      throw error;
    }
  }

  /** Runs a script, and reports the sessions that it ended. */
  private async run(name: ScriptName, ...args: (string | number)[]) {
    const state = await this.connection.run(name, ...args);
    for (const session of (state['dropped'] ?? []) as McpClosedSession[]) {
      this.endpoint.receiver.closed(session);
    }
    return state;
  }

  private later(name: ScriptName, ...args: (string | number)[]): void {
    if (this.isClosed) return;
    this.run(name, ...args).catch((error: unknown) => {
      this.differs = true;
      this.connection.warn(String(error));
    });
  }

  private async beat(): Promise<void> {
    void this.connection.probe();
    try {
      this.size = Number((await this.run('beat', this.process))['size']);
    } catch (error) {
      this.connection.warn(String(error));
      return;
    }
    if (this.differs) await this.reconcile();
  }

  /** After messages or replies may have been lost. */
  private async reconcile(): Promise<void> {
    this.differs = false;
    try {
      const { gone } = await this.run('reconcile', this.process, this.uses.toJson());
      for (const id of listOf<string>(gone)) {
        this.endpoint.receiver.ended(id, 'lost');
      }
      this.size = Number((await this.run('beat', this.process))['size']);
    } catch (error) {
      this.differs = true;
      this.connection.warn(String(error));
    }
  }

  private receive(text: string): void {
    const received = messageIn(text);
    const { receiver } = this.endpoint;
    if (received?.ended !== undefined) receiver.ended(received.id, received.ended);
    else if (received?.message) receiver.receive(received.id, received.message);
  }

  private channelOf(process: string): string {
    return `${this.base}:${process}`;
  }
}

/** URIs have any length. */
function digestOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url');
}

/** The stream of a session that belongs to no request, as the scripts name it. */
function mainStreamOf(id: string): string {
  return createHash('sha1').update(id).digest('hex').slice(0, 16);
}

/** A list of a script: Lua writes an empty one as `{}`. */
function listOf<Item>(list: unknown): readonly Item[] {
  return Array.isArray(list) ? (list as Item[]) : [];
}
