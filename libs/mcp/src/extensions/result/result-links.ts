import { randomBytes } from 'node:crypto';
import type { ResolvedResult } from './result-options.js';
import type { ReadResult } from '../../serve/methods/answer.js';

/** The rest of a result, stored for the caller that received the first part. */
export interface LinkedResult {
  /** Name of the tool that returned the result. */
  readonly tool: string;
  /** Key of the caller, from `callerKey()`. */
  readonly owner: string;
  readonly contents: LinkedText | LinkedBlob;
}

interface LinkedText {
  readonly kind: 'text';
  readonly parts: readonly string[];
  /** Total size of the parts in bytes. */
  readonly bytes: number;
}

interface LinkedBlob {
  readonly kind: 'blob';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly bytes: number;
}

interface Entry extends LinkedResult {
  readonly expiresAt: number;
}

/** The URI of a link. Its path is the number of the part, starting with 1. */
const LINK = /^fledge-result:\/\/([0-9a-f]{32})\/([1-9]\d{0,9})$/;

/**
 * Stores results that were too large to send. They stay in memory for a limited time. A link
 * contains a random id of 128 bits. Only the caller that received a link can read its result. If a
 * limit is reached, the oldest results are removed.
 */
export class ResultLinks {
  /** The stored results in order of insertion, the oldest first. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  /** @param now the current time in milliseconds, from a clock that never goes back */
  constructor(
    private readonly limits: Omit<ResolvedResult, 'maxBytes' | 'overflow'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Stores a result and returns its id. Returns undefined if the result alone exceeds the total
   * limit.
   */
  add(result: LinkedResult): string | undefined {
    const { bytes } = result.contents;
    if (bytes > this.limits.linkBytes) return undefined;
    this.makeRoom(bytes);
    const id = randomBytes(16).toString('hex');
    this.entries.set(id, { ...result, expiresAt: this.now() + this.limits.linkTtlMs });
    this.bytes += bytes;
    return id;
  }

  /**
   * Finds the result for a URI. Returns undefined if the result is unknown, if it has expired, or
   * if it belongs to another caller.
   */
  find(uri: string, owner: string): LinkedResult | undefined {
    const entry = this.entries.get(LINK.exec(uri)?.[1] ?? '');
    if (entry === undefined || entry.owner !== owner) return undefined;
    return entry.expiresAt > this.now() ? entry : undefined;
  }

  private makeRoom(bytes: number): void {
    const { maxLinks: max, linkBytes: most } = this.limits;
    for (const [id, { contents, expiresAt }] of this.entries) {
      const isFull = this.entries.size >= max || this.bytes + bytes > most;
      if (!isFull && expiresAt > this.now()) return;
      this.entries.delete(id);
      this.bytes -= contents.bytes;
    }
  }
}

export function linkUri(id: string, part: number): string {
  return `fledge-result://${id}/${part}`;
}

/** Returns a note with the number of the part and the URI of the next part. */
export function partNote(id: string, part: number, parts: number): string {
  const next = part < parts ? `; the next part is ${linkUri(id, part + 1)}` : '';
  return `(part ${part} of ${parts}${next})`;
}

/**
 * Returns the part that a URI addresses, or undefined if there is no such part.
 * @param mark called with the text of the part
 */
export function partOf(
  uri: string,
  { contents }: LinkedResult,
  mark = (text: string) => text,
): ReadResult | undefined {
  const [, id = '', number = ''] = LINK.exec(uri) ?? [];
  const part = Number(number);
  if (contents.kind === 'blob') {
    const { data: blob, mimeType } = contents;
    return part === 1 ? { contents: [{ uri, mimeType, blob }] } : undefined;
  }
  const { parts } = contents;
  const text = parts[part - 1];
  if (text === undefined) return undefined;
  const whole = `${mark(text)}\n${partNote(id, part, parts.length)}`;
  return { contents: [{ uri, mimeType: 'text/plain', text: whole }] };
}
