import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { McpClosedSession, McpSessionEndpoint } from '../options/session-store.js';
import { Connection } from './connection.js';
import { startHeartbeat } from './process-heartbeat.js';
import { messageIn } from './message.js';
import { listOf, SCRIPTS, type ScriptName } from './scripts.js';
import { ProcessActivity } from './process-activity.js';

/**
 * Connects this process to the shared sessions. Sends the heartbeat of the process, tracks the
 * sessions that the process serves, and exchanges messages with other processes.
 */
export class RedisProcess {
  readonly id = randomBytes(9).toString('base64url');
  readonly activity = new ProcessActivity();
  readonly connection: Connection<ScriptName>;
  /** Number of open sessions in all processes. */
  size = 0;
  private heart: NodeJS.Timeout | undefined;
  /**
   * True if the running requests in Redis may differ from the requests that run in this process.
   */
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

  async start(): Promise<void> {
    const channels = [this.channelOf(this.id)];
    this.heart = await startHeartbeat({
      connect: (ready) => this.connection.open(channels, (text) => this.receive(text), ready),
      begin: () => this.reconcile(),
      beat: () => void this.beat(),
    });
  }

  async close(): Promise<void> {
    clearInterval(this.heart);
    try {
      while ((await this.run('depart', this.id))['left'] === 1);
    } catch (error) {
      this.connection.warn(String(error));
    }
    this.isClosed = true;
    this.connection.close();
  }

  /** Runs a script. Reports each session that the script ended. */
  async run(name: ScriptName, ...args: (string | number)[]): Promise<Record<string, unknown>> {
    const state = await this.connection.run(name, ...args);
    for (const session of (state['dropped'] ?? []) as McpClosedSession[]) {
      this.endpoint.receiver.closed(session);
    }
    return state;
  }

  /**
   * Runs a script that starts a request or stream in a session. If the script's reply is lost, the
   * next heartbeat sends the current state to Redis.
   */
  async use(
    id: string,
    key: string,
    name: ScriptName,
    args: (string | number)[],
  ): Promise<Record<string, unknown>> {
    try {
      return await this.run(name, ...args);
    } catch (error) {
      this.differs = true;
      if (key !== '') this.activity.end(id, key);
      throw error;
    }
  }

  /**
   * Runs a script without waiting. If the script fails, the next heartbeat sends the current state
   * to Redis.
   */
  later(name: ScriptName, ...args: (string | number)[]): void {
    if (this.isClosed) return;
    this.run(name, ...args).catch((error: unknown) => {
      this.differs = true;
      this.connection.warn(String(error));
    });
  }

  /** Sends a message to a process. Returns false if the process no longer runs. */
  async send(process: string, text: string): Promise<boolean> {
    return (await this.connection.publish(this.channelOf(process), text)) > 0;
  }

  private async beat(): Promise<void> {
    void this.connection.probe();
    try {
      this.size = Number((await this.run('beat', this.id))['size']);
    } catch (error) {
      this.connection.warn(String(error));
      return;
    }
    if (this.differs) await this.reconcile();
  }

  /** Sends the current state to Redis. Needed because messages or replies may have been lost. */
  private async reconcile(): Promise<void> {
    this.differs = false;
    try {
      const { gone } = await this.run('reconcile', this.id, this.activity.toJson());
      for (const id of listOf<string>(gone)) {
        this.endpoint.receiver.ended(id, 'lost');
      }
      this.size = Number((await this.run('beat', this.id))['size']);
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
