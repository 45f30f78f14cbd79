import {
  callback,
  count,
  feature,
  group,
  kind,
  oneOf,
  type OptionTable,
  type ReadOptions,
  readBy,
  readOptions,
} from '@fledge-internal/options';
import type { McpWriteStore } from './write-store.js';

/** The option of the module. */
export interface WritesOption {
  /** What tools with `confirm`, `idempotency` or `dryRun` need. */
  readonly writes?: McpWriteOptions;
}

/** What tools with `confirm`, `idempotency` or `dryRun` need. */
export interface McpWriteOptions {
  /**
   * Where idempotency keys and used confirmations are kept. With `redisWrites()` of `@fledge/mcp/redis` the processes of
   * an application share them, and they outlive a restart.
   * @default the memory of this process
   */
  readonly store?: McpWriteStore;
  /**
   * Runs a function in a transaction, and rolls the transaction back if the function throws. Dry runs throw at their
   * end. Required if a tool has `dryRun`.
   * @default none
   */
  readonly transaction?: McpTransaction;
}

/** Runs a function in a transaction. Rejects with the function's error after it has rolled back. */
export type McpTransaction = (run: () => Promise<void>) => Promise<unknown>;

/** The options of `@McpTool`. */
export interface WriteToolOptions {
  /**
   * Nothing runs before a person has confirmed the call. `true` asks with the name and the arguments of the tool, a text
   * such as `Delete {title}?` with those arguments. A client that cannot ask its user gets a token, and only a second
   * call with the token runs: that proves two calls, not a person. `'person'` rejects such clients.
   * @default none
   */
  readonly confirm?: boolean | string | McpToolConfirm;
  /**
   * Adds the argument `idempotencyKey`, which reaches the route as the header `Idempotency-Key`. Of calls with equal keys
   * and arguments only the first runs, and the others get its response.
   * @default false
   */
  readonly idempotency?: boolean | McpToolIdempotency;
  /**
   * Adds the argument `dryRun`. With it, the route runs in a transaction that is rolled back, and the result shows what
   * would change. Needs `McpModule.forRoot({ writes: { transaction } })`.
   * @default false
   */
  readonly dryRun?: boolean;
}

/** How a tool is confirmed. */
export interface McpToolConfirm {
  /** The question. `{title}` is the value of the argument `title`. @default name and arguments of the tool */
  readonly message?: string;
  /** `person`: rejects clients that cannot ask their user. `client`: they get a token. @default 'client' */
  readonly by?: 'client' | 'person';
}

/** How repeated calls of a tool are recognized. */
export interface McpToolIdempotency {
  /** Milliseconds for which a key and its response are kept. @default 86_400_000 */
  readonly ttlMs?: number;
  /**
   * Who recognizes a repeated call. `server`: Fledge keeps the response. `application`: the route does, with the header,
   * such as in the transaction that it writes in.
   * @default 'server'
   */
  readonly keptBy?: 'server' | 'application';
}

const WRITES = {
  store: kind<McpWriteStore>(
    'a store with the method connect, such as redisWrites()',
    (store) => typeof (store as Partial<McpWriteStore> | null)?.connect === 'function',
  ).optional,
  transaction: callback<McpTransaction>().optional,
} satisfies OptionTable<McpWriteOptions>;

export const WRITES_OPTION = { writes: group(WRITES) } satisfies OptionTable<WritesOption>;

export type ResolvedWrites = ReadOptions<typeof WRITES>;

const CONFIRM = {
  message: kind<string>('a text', (value) => typeof value === 'string' && value !== '').optional,
  by: oneOf('client', 'person').default('client'),
} satisfies OptionTable<McpToolConfirm>;

const IDEMPOTENCY = {
  ttlMs: count.default(86_400_000),
  keptBy: oneOf('server', 'application').default('server'),
} satisfies OptionTable<McpToolIdempotency>;

export type Confirm = ReadOptions<typeof CONFIRM>;
export type Idempotency = ReadOptions<typeof IDEMPOTENCY>;

export const WRITE_TOOL_OPTIONS = {
  confirm: readBy<boolean | string | McpToolConfirm, Confirm | undefined>((given, place) => {
    if (given === false) return undefined;
    if (given === true) return { message: undefined, by: 'client' };
    if (given === 'person') return { message: undefined, by: 'person' };
    if (typeof given !== 'string') {
      return readOptions(given, CONFIRM, place, ", or true, false, 'person' or a question");
    }
    return { message: CONFIRM.message.read(given, place), by: 'client' };
  }).optional,
  idempotency: feature<McpToolIdempotency, typeof IDEMPOTENCY>(IDEMPOTENCY),
  dryRun: kind<boolean>('true or false', (value) => typeof value === 'boolean').default(false),
} satisfies OptionTable<WriteToolOptions>;

export type ResolvedToolWrites = ReadOptions<typeof WRITE_TOOL_OPTIONS>;
