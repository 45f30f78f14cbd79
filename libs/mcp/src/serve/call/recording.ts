import type { OutgoingHttpHeaders } from 'node:http';
import { headerPairs } from './forwarded-headers.js';

export interface CallResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** The first `limits.responseBytes` bytes of the body. */
  readonly body: Buffer;
  /** Length of the complete body in bytes. */
  readonly bytes: number;
  /** True if the body was stopped at the limit. The complete body is then longer than `bytes`. */
  readonly isLonger?: true;
}

/** Callbacks of a recording. Only one of them is called, and only once. */
export interface ResponseEvents {
  onEnd(response: CallResponse): void;
  /** The application exceeded the limit. The response must be destroyed. */
  onStop(response: CallResponse): void;
}

export type Done = (error?: Error) => void;

export function callbackIn(args: readonly unknown[]): Done | undefined {
  return args.find((each): each is Done => typeof each === 'function');
}

/** The response data that the application has written so far. */
export class Recording {
  headers: OutgoingHttpHeaders | undefined;
  bytes = 0;
  /** Number of bytes that were written after the application last had to wait. */
  pending = 0;
  /** Callbacks of writes. The callbacks are called when the application may continue. */
  waiting: Done[] = [];
  private kept = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    readonly limit: number,
    readonly events: ResponseEvents,
  ) {}

  add(chunk: unknown, encoding: unknown): void {
    const buffer = toBuffer(chunk, encoding);
    this.bytes += buffer.length;
    this.pending += buffer.length;
    const room = this.limit - this.kept;
    if (room <= 0 || buffer.length === 0) return;
    const part = buffer.length > room ? buffer.subarray(0, room) : buffer;
    this.kept += part.length;
    this.chunks.push(part);
  }

  get body(): Buffer {
    const { chunks, kept } = this;
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, kept);
  }
}

function toBuffer(chunk: unknown, encoding: unknown): Buffer {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  }
  if (chunk instanceof Uint8Array) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new TypeError(
    `The "chunk" argument must be of type string or an instance of Buffer or Uint8Array. Received ${typeof chunk}`,
  );
}

/**
 * Returns the headers in the arguments of `writeHead(status[, reason][, headers])`. The headers may
 * be given as an object, or as alternating names and values. The returned names are in lower case.
 */
export function headersIn(rest: readonly unknown[]): OutgoingHttpHeaders | undefined {
  const given = rest.find((value) => typeof value === 'object' && value !== null);
  if (given === undefined) return undefined;
  const entries: [string, unknown][] = Array.isArray(given)
    ? headerPairs(given.flat() as string[])
    : Object.entries(given);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  ) as OutgoingHttpHeaders;
}
