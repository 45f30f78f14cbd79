import { withDeadline } from '@fledge/core/packages';
import { GraphQLError } from 'graphql';
import { createHash } from 'node:crypto';
import type { DocumentStore } from '../operation/protection.options.js';
import { BoundedCache } from '../operation/bounded-cache.js';
import { FailureLog } from '../operation/failure-log.js';

const MAX_BYTES = 16_777_216;
const BOUNDS = { maxEntries: 10_000, maxBytes: MAX_BYTES, maxEntryBytes: MAX_BYTES };

/**
 * Maximum characters of a remembered text. Without this limit, a few long texts could displace all
 * others.
 */
const MAX_LENGTH = 524_288;

/** Estimated heap bytes of an entry, without its text. */
const BYTES_PER_ENTRY = 300;

/** Milliseconds after which a call of the store counts as failed. */
const CALL_MS = 1_000;

/**
 * Maximum number of concurrent writes. More would fill the memory while a store does not respond.
 */
const MAX_WRITES = 100;

/** Matches a SHA-256 hash. Clients send it in lower-case hexadecimal digits. */
const HASH = /^[0-9a-f]{64}$/;

/**
 * The texts of documents that clients sent with a hash (Apollo's automatic persisted queries). The
 * texts are kept in memory and in the application's store.
 */
export class AutomaticDocuments {
  private readonly recent = new BoundedCache<string>(BOUNDS);
  private readonly failures = new FailureLog('The document store failed');
  /** Reads in progress. Concurrent requests for the same hash share one read. */
  private readonly reads = new Map<string, Promise<string | undefined>>();
  private writes = 0;

  /** @param accepts returns whether a text may be remembered */
  constructor(
    private readonly store: DocumentStore | undefined,
    private readonly accepts: (text: string) => boolean,
  ) {}

  /**
   * Returns the text of a hash, from memory or from the store. If the store fails, the promise
   * resolves to undefined. The promise never rejects.
   */
  find(hash: string): string | undefined | Promise<string | undefined> {
    const found = this.recent.get(hash);
    if (found !== undefined || this.store === undefined || !HASH.test(hash)) return found;
    return this.reads.get(hash) ?? this.startRead(hash, this.store);
  }

  /**
   * Remembers a text if it is accepted. If the store has lost a text, clients send the text and its
   * hash again.
   * @throws DocumentRefusal if the hash belongs to another text
   */
  register(hash: string, text: string): void {
    if (this.recent.get(hash) === text) return;
    if (hash !== sha256(text)) {
      throw new DocumentRefusal('provided sha does not match query', 'PERSISTED_QUERY_MISMATCH');
    }
    if (text.length > MAX_LENGTH || !this.accepts(text)) return;
    this.keep(hash, text);
    if (this.store !== undefined) void this.write(hash, text, this.store);
  }

  private startRead(hash: string, store: DocumentStore): Promise<string | undefined> {
    const read = this.read(hash, store).finally(() => this.reads.delete(hash));
    this.reads.set(hash, read);
    return read;
  }

  private async read(hash: string, store: DocumentStore): Promise<string | undefined> {
    try {
      const text = await inTime('get', () => store.get(hash));
      if (text === undefined || text === null) return undefined;
      // Other programs may write to the store. Without this check, a wrong text could be executed
      // for this hash.
      if (typeof text !== 'string' || sha256(text) !== hash) {
        throw new TypeError(`get() returned a document that does not match the hash ${hash}.`);
      }
      this.keep(hash, text);
      return text;
    } catch (error) {
      this.failures.add(error);
      return undefined;
    }
  }

  private async write(hash: string, text: string, store: DocumentStore): Promise<void> {
    if (this.writes >= MAX_WRITES) {
      return this.failures.add(
        `${MAX_WRITES} calls of set() are still running, so a document was not stored.`,
      );
    }
    this.writes += 1;
    // A call that timed out still uses memory, so it counts until it ends.
    const set = async () => {
      try {
        await store.set(hash, text);
      } finally {
        this.writes -= 1;
      }
    };
    try {
      await inTime('set', set);
    } catch (error) {
      this.failures.add(error);
    }
  }

  private keep(hash: string, text: string): void {
    this.recent.add(hash, text, BYTES_PER_ENTRY + text.length * 2);
  }
}

/**
 * Thrown if the document of a request is not served. `status` is the HTTP status of the response.
 */
export class DocumentRefusal extends GraphQLError {
  constructor(
    message: string,
    code: string,
    readonly status: 200 | 400 = 400,
  ) {
    super(message, { extensions: { code } });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Calls the store. Rejects if the call takes longer than `CALL_MS`. */
async function inTime<T>(method: 'get' | 'set', call: () => T): Promise<Awaited<T>> {
  const late = () => new Error(`${method}() took more than ${CALL_MS} ms.`);
  return withDeadline(Promise.resolve(call()), CALL_MS, late);
}
