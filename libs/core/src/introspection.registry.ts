import { Injectable } from '@nestjs/common';
import { withDeadline } from './deadline.js';

/** What a part of the application tells a dashboard about itself. */
export interface IntrospectionSnapshot {
  readonly protocolVersion: 1;
  readonly name: string;
  readonly kind: 'adapter' | 'plugin';
  readonly state: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, unknown>>;
}

/** Something that can tell about itself. */
export interface Introspectable {
  readonly name: string;
  /** Told by the snapshot that stands in for a missing one. @default 'adapter' */
  readonly kind?: IntrospectionSnapshot['kind'];
  /** Left out, a snapshot without state and metrics stands in for it. */
  introspect?(): IntrospectionSnapshot | Promise<IntrospectionSnapshot>;
}

/** Everything the application told at one moment. */
export interface IntrospectionReport {
  readonly protocolVersion: 1;
  /** ISO 8601. */
  readonly timestamp: string;
  /** One for each registered item, in the order of registration. */
  readonly adapters: readonly IntrospectionSnapshot[];
  /** One for each item whose snapshot is a stub. */
  readonly errors: readonly { readonly name: string; readonly message: string }[];
}

export interface CollectOptions {
  /** Milliseconds one item may take. @default 100 */
  readonly timeoutMs?: number;
}

/** Gathers the snapshots of everything that registers with it. Injectable everywhere. */
@Injectable()
export class IntrospectionRegistry {
  private readonly items = new Set<Introspectable>();

  /** Adds an item. The result takes it out again. */
  register(item: Introspectable): () => void {
    // Its own object, so that an item registered twice can be taken out once.
    const entry: Introspectable = {
      name: item.name,
      kind: item.kind ?? 'adapter',
      ...(item.introspect && { introspect: item.introspect.bind(item) }),
    };
    this.items.add(entry);
    return () => void this.items.delete(entry);
  }

  /** Asks all items at once. Never rejects: who fails or hangs is in `errors`. */
  async collect({ timeoutMs = 100 }: CollectOptions = {}): Promise<IntrospectionReport> {
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
  if (item.introspect === undefined) throw new Error('has no introspect()');
  const snapshot: unknown = await item.introspect();
  if (typeof snapshot !== 'object' || snapshot === null) {
    throw new Error('introspect() returned no snapshot');
  }
  return snapshot as IntrospectionSnapshot;
}

function stubOf({ name, kind = 'adapter' }: Introspectable): IntrospectionSnapshot {
  return { protocolVersion: 1, name, kind, state: {}, metrics: {} };
}
