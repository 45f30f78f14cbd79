import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { type ClientOptions, WebSocket } from 'ws';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

/** A message of the protocol, as it came. */
export interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: any; // oxlint-disable-line typescript/no-explicit-any -- whatever a test expects
}

/** Tests wait this long only if they fail. */

const open = new Set<Wire>();

/** One socket without a client library, so tests see each message. */
export class Wire {
  /** Every message, in the order of arrival. */
  readonly messages: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly waiting = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    open.add(this);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      for (const look of this.waiting) look();
    });
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  /** Opens a socket. */
  static async open(
    url: string,
    options: ClientOptions = {},
    protocols: string | string[] = GRAPHQL_TRANSPORT_WS_PROTOCOL,
  ): Promise<Wire> {
    const wire = new Wire(new WebSocket(url.replace(/^http/, 'ws'), protocols, options));
    await once(wire.socket, 'open');
    return wire;
  }

  /** Opens a socket and waits for the acknowledgment. */
  static async connect(url: string, params?: object, options?: ClientOptions): Promise<Wire> {
    const wire = await Wire.open(url, options);
    wire.send({ type: 'connection_init', ...(params && { payload: params }) });
    await wire.message(({ type }) => type === 'connection_ack');
    return wire;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  subscribe(id: string, query: string, more: object = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, ...more } });
  }

  complete(id: string): void {
    this.send({ id, type: 'complete' });
  }

  /** Returns the first matching message, also an earlier one. Fails after a minute. */
  async message(fits: (message: Message) => boolean): Promise<Message> {
    return (await this.gather(1, fits))[0]!;
  }

  /** The first message about an operation. */
  answer(id: string): Promise<Message> {
    return this.message((message) => message.id === id);
  }

  /** `data` of the first events of an operation. */
  async events(id: string, count: number): Promise<unknown[]> {
    const found = await this.gather(count, (it) => it.id === id && it.type === 'next');
    return found.map(({ payload }) => (payload as { data: unknown }).data);
  }

  async gather(count: number, fits: (message: Message) => boolean): Promise<Message[]> {
    const found = () => this.messages.filter(fits).slice(0, count);
    let look!: () => void;
    const enough = new Promise<void>((resolve) => {
      look = () => found().length === count && resolve();
    });
    this.waiting.add(look);
    look();
    const seen = () =>
      new Error(
        `waited for ${count} messages in vain; of ${this.messages.length} the last were ` +
          JSON.stringify(this.messages.slice(-5)),
      );
    await within(LONGEST_WAIT_MS, enough, seen).finally(() => this.waiting.delete(look));
    return found();
  }

  /** Disconnects without a close frame. */
  vanish(): void {
    this.socket.terminate();
  }
}

/** Ends all sockets of a test. */
export function hangUp(): void {
  for (const { socket } of open) socket.terminate();
  open.clear();
}

/** Sends an upgrade. Returns 101, the status and text of a refusal, or 'hang up'. */
export function upgrade(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string } | 'hang up'> {
  return new Promise((resolve) => {
    const asked = request(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': GRAPHQL_TRANSPORT_WS_PROTOCOL,
        ...headers,
      },
      agent: false,
    });
    asked.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, body: '' });
    });
    asked.on('response', (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (body += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on('error', () => resolve('hang up'));
    asked.end();
  });
}

/**
 * Waits until a number stays equal while another client of the server gets 20 answers. Counts answers instead
 * of time, so it also works on a busy machine.
 */
export async function settled(url: string, value: () => number): Promise<number> {
  const other = await Wire.connect(url);
  let answers = 0;
  for (;;) {
    const before = value();
    for (let i = 0; i < 20; i += 1) {
      other.send({ type: 'ping' });
      answers += 1;
      await other.gather(answers, ({ type }) => type === 'pong');
    }
    if (value() === before) {
      other.vanish();
      return before;
    }
  }
}

async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      wait(ms, undefined, { signal: timer.signal }).then(() => Promise.reject(late())),
    ]);
  } finally {
    timer.abort();
  }
}
