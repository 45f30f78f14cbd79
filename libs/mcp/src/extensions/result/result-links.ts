import { randomBytes } from 'node:crypto';
import type { ResolvedResult } from './result-options.js';
import type { ReadResult } from '../../serve/methods/answer.js';

/** The rest of an answer, for the caller that got its first part. */
export interface LinkedResult {
  /** Name of the tool that answered. */
  readonly tool: string;
  /** The caller, as `Dispatcher.keyOf()` identifies it. */
  readonly owner: string;
  readonly contents: LinkedText | LinkedBlob;
}

interface LinkedText {
  readonly kind: 'text';
  readonly parts: readonly string[];
  /** Bytes of the parts. */
  readonly bytes: number;
}

interface LinkedBlob {
  readonly kind: 'blob';
  /** In base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly bytes: number;
}

interface Entry extends LinkedResult {
  readonly expiresAt: number;
}

/** A URI of a link. The path is the number of the part, from 1. */
const LINK = /^fledge-result:\/\/([0-9a-f]{32})\/([1-9]\d{0,9})$/;

/**
 * Answers that were too large for a result, kept in memory for a time. A link has a random id of 128 bits and can
 * only be read by its owner. The oldest answers are removed if there are too many.
 */
export class ResultLinks {
  /** Oldest first. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  /** @param now milliseconds of a clock that only advances */
  constructor(
    private readonly limits: Omit<ResolvedResult, 'maxBytes' | 'overflow'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Keeps an answer and returns its id. Undefined if it is larger than the limit for all of them. */
  add(result: LinkedResult): string | undefined {
    const { bytes } = result.contents;
    if (bytes > this.limits.linkBytes) return undefined;
    this.makeRoom(bytes);
    const id = randomBytes(16).toString('hex');
    this.entries.set(id, { ...result, expiresAt: this.now() + this.limits.linkTtlMs });
    this.bytes += bytes;
    return id;
  }

  /** Finds the answer of a URI. Undefined if it is unknown, expired, or of another owner. */
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

/** Says which part of an answer a text is, and where the next one is. */
export function partNote(id: string, part: number, parts: number): string {
  const next = part < parts ? `; the next is ${linkUri(id, part + 1)}` : '';
  return `(part ${part} of ${parts}${next})`;
}

/** The part that a URI names. Undefined if there is no such part. */
export function partOf(uri: string, { contents }: LinkedResult): ReadResult | undefined {
  const [, id = '', number = ''] = LINK.exec(uri) ?? [];
  const part = Number(number);
  if (contents.kind === 'blob') {
    const { data: blob, mimeType } = contents;
    return part === 1 ? { contents: [{ uri, mimeType, blob }] } : undefined;
  }
  const { parts } = contents;
  const text = parts[part - 1];
  if (text === undefined) return undefined;
  const whole = `${text}\n${partNote(id, part, parts.length)}`;
  return { contents: [{ uri, mimeType: 'text/plain', text: whole }] };
}
