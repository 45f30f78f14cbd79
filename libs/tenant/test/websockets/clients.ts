import { type INestApplication, type WebSocketAdapter } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';

/** A client that asks a gateway and gets answers, whatever speaks below. */
export interface Client {
  /** The answers to a message, until as many came as were asked for. */
  ask(event: string, data: object, answers?: number): Promise<unknown[]>;
  send(event: string, data: object): void;
  /** What `exception` events told, in their order. */
  readonly exceptions: unknown[];
  /** Settles when the server closed the socket: with code and reason of ws, with nothing of socket.io. */
  readonly closed: Promise<string>;
  close(): void;
  /** Drops the connection. The server notices it even while it reads no messages. */
  drop(): void;
}

export interface ConnectOptions {
  readonly headers?: Record<string, string>;
  readonly query?: string;
  /** Of socket.io. */
  readonly namespace?: string;
  /** Sent the moment the socket is open. */
  readonly first?: { readonly event: string; readonly data: object };
}

export interface SocketKind {
  readonly name: string;
  /** None for socket.io, which is Nest's default. */
  readonly adapter?: (app: INestApplication) => WebSocketAdapter;
  connect(url: string, options?: ConnectOptions): Promise<Client>;
}

/** Keeps something that a proxy of it has not. */
class PrivateWsAdapter extends WsAdapter {
  readonly #path = '/live';

  override create(port: number, options: object): unknown {
    return super.create(port, { ...options, path: this.#path });
  }
}

export const kinds: readonly SocketKind[] = [
  { name: 'ws', adapter: (app) => new PrivateWsAdapter(app), connect: connectWs },
  { name: 'socket.io', connect: connectIo },
];

/** Answers by the id of what they answer. */
class Answers {
  private readonly waiting = new Map<unknown, { left: number; got: unknown[]; done: () => void }>();

  expect(id: unknown, left: number): Promise<unknown[]> {
    return new Promise((resolve) => {
      const got: unknown[] = [];
      this.waiting.set(id, { left, got, done: () => resolve(got) });
    });
  }

  arrive(data: { id?: unknown }): void {
    const waiting = this.waiting.get(data.id);
    if (waiting === undefined) return;
    waiting.got.push(data);
    waiting.left -= 1;
    if (waiting.left === 0) waiting.done();
  }
}

let ids = 0;

async function connectWs(url: string, options: ConnectOptions = {}): Promise<Client> {
  const { headers = {}, query = '', first } = options;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live${query}`, { headers });
  const answers = new Answers();
  const exceptions: unknown[] = [];
  const send = (event: string, data: object) => socket.send(JSON.stringify({ event, data }));
  if (first) socket.once('open', () => send(first.event, first.data));
  socket.on('message', (raw: Buffer) => {
    const { event, data } = JSON.parse(raw.toString()) as { event: string; data: object };
    if (event === 'exception') exceptions.push(data);
    else answers.arrive(data);
  });
  const closed = new Promise<string>((resolve) =>
    socket.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    send,
    ask: (event, data, count = 1) => {
      const id = (ids += 1);
      const got = answers.expect(id, count);
      send(event, { ...data, id });
      return got;
    },
    exceptions,
    closed,
    close: () => socket.close(),
    drop: () => socket.terminate(),
  };
}

export async function connectIo(url: string, options: ConnectOptions = {}): Promise<Client> {
  const { headers = {}, query = '', namespace = '', first } = options;
  const socket = io(`${url}${namespace}`, {
    path: '/live',
    extraHeaders: headers,
    query: Object.fromEntries(new URLSearchParams(query)),
    reconnection: false,
    // What polls may not say to which host it speaks.
    ...('host' in headers && { transports: ['websocket'] }),
    forceNew: true,
  });
  const answers = new Answers();
  const exceptions: unknown[] = [];
  if (first) socket.once('connect', () => void socket.emit(first.event, first.data));
  socket.onAny((event: string, data: object) => {
    if (event === 'exception') exceptions.push(data);
    else answers.arrive(data);
  });
  const closed = new Promise<string>((resolve) => socket.once('disconnect', () => resolve('')));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return {
    send: (event, data) => void socket.emit(event, data),
    ask: (event, data, count = 1) => {
      const id = (ids += 1);
      const got = answers.expect(id, count);
      socket.emit(event, { ...data, id });
      return got;
    },
    exceptions,
    closed,
    close: () => void socket.close(),
    drop: () => void socket.close(),
  };
}
