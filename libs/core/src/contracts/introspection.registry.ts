import { milliseconds, type OptionTable, readOptions } from '@fledge-internal/options';
import { Injectable } from '@nestjs/common';
import { withDeadline } from '../http/timers.js';
import { placeOf } from '../checks/option-place.js';

/** The state and metrics of one part of the application, for a dashboard. */
export interface IntrospectionSnapshot {
  readonly protocolVersion: 1;
  readonly name: string;
  readonly kind: 'adapter' | 'plugin';
  readonly state: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, unknown>>;
}

/** A part of the application that reports a snapshot. */
export interface Introspectable {
  readonly name: string;
  /** The value of `kind` in the placeholder for a missing snapshot. @default 'adapter' */
  readonly kind?: IntrospectionSnapshot['kind'];
  /**
   * Returns a snapshot. If this function is missing, the report contains a placeholder. Its state
   * and metrics are empty.
   */
  introspect?(): IntrospectionSnapshot | Promise<IntrospectionSnapshot>;
}

/** The snapshots of the application at one point in time. */
export interface IntrospectionReport {
  readonly protocolVersion: 1;
  /** ISO 8601. */
  readonly timestamp: string;
  /** One snapshot for each registered item, in the order of registration. */
  readonly adapters: readonly IntrospectionSnapshot[];
  /** The errors of the items without a snapshot. These items have a placeholder. */
  readonly errors: readonly { readonly name: string; readonly message: string }[];
}

export interface CollectOptions {
  /** Maximum milliseconds for one item. @default 100 */
  readonly timeoutMs?: number;
}

const COLLECT = { timeoutMs: milliseconds.default(100) } satisfies OptionTable<CollectOptions>;

/** Collects a snapshot of each registered item. Injectable in every module. */
@Injectable()
export class IntrospectionRegistry {
  private readonly items = new Set<Introspectable>();

  /** Adds an item. Returns a function that removes it. */
  register(item: Introspectable): () => void {
    // Each call creates a new object. Otherwise, an item that is registered twice could not be
    // removed separately.
    const entry: Introspectable = {
      name: item.name,
      kind: item.kind ?? 'adapter',
      ...(item.introspect && { introspect: item.introspect.bind(item) }),
    };
    this.items.add(entry);
    return () => void this.items.delete(entry);
  }

  /**
   * Reads all items in parallel. Items that fail or time out are listed in `errors`.
   * @throws CoreOptionError for an unknown or invalid option
   */
  async collect(options: CollectOptions = {}): Promise<IntrospectionReport> {
    const { timeoutMs } = readOptions(options, COLLECT, placeOf('IntrospectionRegistry.collect'));
    const answers = await Promise.all([...this.items].map((item) => answerOf(item, timeoutMs)));
    return {
      protocolVersion: 1,
      timestamp: new Date().toISOString(),
      adapters: answers.map(({ snapshot }) => snapshot),
      errors: answers.flatMap(({ snapshot: { name }, failure }) =>
        failure === undefined ? [] : [{ name, message: failure }],
      ),
    };
  }
}

interface Answer {
  readonly snapshot: IntrospectionSnapshot;
  readonly failure?: string;
}

async function answerOf(item: Introspectable, timeoutMs: number): Promise<Answer> {
  try {
    const late = () => new Error(`introspect() took longer than ${timeoutMs} ms`);
    return { snapshot: await withDeadline(ask(item), timeoutMs, late) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { snapshot: stubOf(item), failure };
  }
}

async function ask(item: Introspectable): Promise<IntrospectionSnapshot> {
  if (item.introspect === undefined) throw new Error('introspect() is missing');
  const snapshot: unknown = await item.introspect();
  if (typeof snapshot !== 'object' || snapshot === null) {
    throw new Error('introspect() did not return an object');
  }
  return snapshot as IntrospectionSnapshot;
}

function stubOf({ name, kind = 'adapter' }: Introspectable): IntrospectionSnapshot {
  return { protocolVersion: 1, name, kind, state: {}, metrics: {} };
}
